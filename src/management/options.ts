/** `api.site.options`: the settings of the site and other named values. */

import type { Json } from '../contract/storage.ts'
import { settingProblem, typedSetting } from '../site/setting-rules.ts'
import { type ManagementContext, siteOptions } from './context.ts'

/** `api.site.options`: the settings of the site by name. */
export interface SiteOptions {
  /**
   * The named options; without names all but those that the service keeps for itself, such as keys and secrets. An option that does not
   * exist is absent.
   */
  read(names?: readonly string[]): Promise<{ [name: string]: Json }>
  /**
   * Settings are stored in their type: `'7'` is 7 for a number. A null value removes the option. Emits `site.changed`. Throws a TypeError
   * for a value that a setting can not mean, such as an unknown time zone, and writes nothing then.
   */
  write(values: { readonly [name: string]: Json }): Promise<void>
}

export function createOptions(context: ManagementContext): SiteOptions {
  const { storage, ready, write } = context
  return {
    async read(names) {
      await ready()
      return typed(await (names ? storage.options.read(names) : siteOptions(storage, context)))
    },
    async write(given) {
      await ready()
      const values = typed(given)
      for (const [name, value] of Object.entries(values)) {
        const problem = settingProblem(name, value)
        if (problem !== undefined) throw new TypeError(`the option ${name} ${problem}, not ${shortText(value)}`)
      }
      await write(async ({ options }, queue) => {
        await options.write(values)
        queue('site.changed', { options: Object.keys(values) })
      })
    },
  }
}

const typed = (options: { readonly [name: string]: Json }): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, typedSetting(name, value)]))

const shortText = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
