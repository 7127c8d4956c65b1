/** Settings of the page builder by key: one option each, under names that no option of the site or the kit has. */
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Json, Storage } from '../../../storage/contract.ts'

/** Where a setting is stored. Features that keep theirs there let clients read and write them by key as well. */
export const settingOption = (key: string) => `setting:${key}`

/** Undefined for one that was never stored. */
export function readSetting(storage: Storage, key: string): MaybePromise<Json | undefined> {
  const option = settingOption(key)
  return andThen(storage.options.read([option]), (options) =>
    Object.hasOwn(options, option) ? options[option] : undefined,
  )
}

/** Answers whether the stored value was another one. */
export function writeSetting(storage: Storage, key: string, value: Json): MaybePromise<boolean> {
  const option = settingOption(key)
  // Set to what it is: the storage tells whether the values are equal.
  return andThen(storage.options.swap(option, value, value), (isSame) =>
    isSame ? false : andThen(storage.options.write({ [option]: value }), () => true),
  )
}
