/** Records the writes of options. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { Json, OptionStore } from '../../contract/storage.ts'
import type { Recorder } from './recorder.ts'

const keyOf = (name: string) => `options ${name}`

export function recordedOptions(recorder: Recorder): Partial<OptionStore> {
  const { options } = recorder.storage
  const { wants } = recorder.options
  return {
    read: (names) =>
      andThen(options.read(names), (values) => {
        for (const name of names ?? Object.keys(values)) {
          if (wants('options', name)) recorder.log.remember(keyOf(name), values[name] ?? null)
        }
        return values
      }),
    write: (values) => {
      const wanted = Object.keys(values).filter((name) => values[name] !== undefined && wants('options', name))
      return recorder.write(
        () => valuesBefore(recorder, wanted),
        () => options.write(values),
        (before) => {
          for (const name of wanted) noteOption(recorder, name, before.get(keyOf(name)), values[name] ?? null)
        },
      )
    },
    swap: (name, expected, next) =>
      recorder.write(
        () => undefined,
        () => options.swap(name, expected, next),
        (_, isSwapped) => {
          if (isSwapped && wants('options', name)) noteOption(recorder, name, expected, next)
        },
      ),
  }
}

const valuesBefore = async (recorder: Recorder, names: readonly string[]) =>
  recorder.known(recorder.log.isFull ? [] : names, keyOf, async (missing) =>
    Object.entries(await recorder.storage.options.read(missing)).map(([name, value]) => [keyOf(name), value] as const),
  )

function noteOption({ log }: Recorder, name: string, before: unknown, value: Json): void {
  log.change(keyOf(name), { store: 'options', name }, before ?? null, () => value)
}
