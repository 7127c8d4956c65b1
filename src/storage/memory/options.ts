/** Options in memory: one row per name. */
import { equalJson } from '../../contract/equal-json.ts'
import type { Json, OptionStore } from '../../contract/storage.ts'
import { checkedText } from '../checked-text.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'
import { frozen } from './values.ts'

export function optionStore({ options }: State, access: Access): OptionStore {
  const set = (name: string, value: Json): void => {
    if (value === null) options.delete(checkedText(name))
    else options.put(checkedText(name), { name, value: frozen(value) })
  }
  return {
    read: (names) =>
      access.read((depth) => {
        const rows = names === undefined ? options.all(depth) : options.getMany(names, depth)
        // Object.fromEntries, because assigning to `__proto__` would not create a member.
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
      }),
    write: (values) =>
      access.write(() => {
        for (const [name, value] of Object.entries(values)) if (value !== undefined) set(name, value)
      }),
    swap: (name, expected, next) =>
      access.write((depth) => {
        if (!equalJson(options.get(name, depth)?.value ?? null, expected)) return false
        set(name, next)
        return true
      }),
  }
}
