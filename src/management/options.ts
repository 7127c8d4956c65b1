/** `api.site.options`: the settings of the site and other named values. */

import type { Json } from '../contract/storage.ts'
import { createSiteTime } from '../site/time-zone.ts'
import { type ManagementContext, siteOptions } from './context.ts'

/** `api.site.options`: the settings of the site by name. */
export interface SiteOptions {
  /**
   * The named options; without names all but those that the service keeps for itself, such as keys and secrets. An option that does not
   * exist is absent.
   */
  read(names?: readonly string[]): Promise<{ [name: string]: Json }>
  /** A null value removes the option. Emits `site.changed`. */
  write(values: { readonly [name: string]: Json }): Promise<void>
}

export function createOptions(context: ManagementContext): SiteOptions {
  const { storage, ready, write } = context
  return {
    async read(names) {
      await ready()
      return names ? storage.options.read(names) : siteOptions(storage, context)
    },
    async write(values) {
      await ready()
      // An unknown time zone would make every later request fail.
      if (typeof values.timezone_string === 'string') createSiteTime({ timeZone: values.timezone_string })
      for (const name of ['url', 'home']) checkAddress(name, values[name])
      await write(async ({ options }, queue) => {
        await options.write(values)
        queue('site.changed', { options: Object.keys(values) })
      })
    },
  }
}

/** Every link of the site begins with it. */
function checkAddress(name: string, value: Json | undefined): void {
  if (value === undefined || value === null || value === '') return
  if (typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)) return
  throw new TypeError(`the option ${name} must be an address like https://example.com, not ${JSON.stringify(value)}`)
}
