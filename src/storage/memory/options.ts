/** Options: single values by name. */
import type { Json, OptionStore } from '../contract.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'
import { equalJson, frozen, plainText } from './values.ts'

export function optionStore({ options }: State, access: Access): OptionStore {
  const set = (name: string, value: Json): void => {
    if (value === null) options.delete(plainText(name))
    else options.put(plainText(name), { name, value: frozen(value) })
  }
  return {
    read: (names) =>
      access.read((depth) => {
        const found = names === undefined ? options.all(depth) : names.map((name) => options.get(name, depth))
        // Object.fromEntries, because an assignment to `__proto__` would not make a member.
        return Object.fromEntries(
          found.filter((option) => option !== undefined).map(({ name, value }) => [name, value]),
        )
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
