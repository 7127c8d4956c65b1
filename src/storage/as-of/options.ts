/** Options as they were. */
import type { Past } from '../../contract/past.ts'
import type { Json, OptionStore, Storage } from '../../contract/storage.ts'
import { undone } from '../../contract/undo.ts'
import { readsOnly } from './reads-only.ts'

export function pastOptions({ options }: Storage, past: Past): OptionStore {
  return {
    async read(names) {
      const values = new Map<string, Json>(Object.entries(await options.read(names)))
      for (const [name, undos] of past.options) {
        if (names !== undefined && !names.includes(name)) continue
        const then = undos.reduce<Json | undefined>(
          (now, { value }) => (value ? undone(now, value) : now),
          values.get(name),
        )
        if (then === undefined) values.delete(name)
        else values.set(name, then)
      }
      return Object.fromEntries(values)
    },
    write: readsOnly,
    swap: readsOnly,
  }
}
