/** Settings of the page builder by key: one option each, with a prefix that no option of the site or the kit has. */
import type { Json, Storage } from '../../../contract/storage.ts'

/** The option that stores a setting. Values that other features store there are accessible to clients by key. */
export const settingOption = (key: string) => `setting:${key}`

/** Undefined for a setting that was never stored. */
export async function readSetting(storage: Storage, key: string): Promise<Json | undefined> {
  const option = settingOption(key)
  const options = await storage.options.read([option])
  return Object.hasOwn(options, option) ? options[option] : undefined
}

/** Returns whether the value changed. */
export async function writeSetting(storage: Storage, key: string, value: Json): Promise<boolean> {
  const option = settingOption(key)
  // Swapping a value with itself lets the storage compare the values.
  if (await storage.options.swap(option, value, value)) return false
  await storage.options.write({ [option]: value })
  return true
}
