/** Finds the locale of a user: their setting, else that of the site. */

import type { Json } from '../../contract/storage.ts'
import type { Context } from '../../core/declare/context.ts'

/** The meta of users and the options of the site have this key. */
export const localeKey = 'locale'
const defaultLocale = 'en_US'

export async function localeOf({ storage, user }: Pick<Context, 'storage' | 'user'>): Promise<string> {
  const [[entry], options] = await Promise.all([
    storage.meta.read('user', [user.id], [localeKey]),
    storage.options.read([localeKey]),
  ])
  return localeFrom(entry?.value, options[localeKey])
}

export const localeFrom = (ofUser: Json | undefined, ofSite: Json | undefined): string =>
  [ofUser, ofSite].find(isLocale) ?? defaultLocale

const isLocale = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^[a-zA-Z_-]{2,20}$/.test(value)

const rightToLeft = /^(?:ar|arc|azb|ckb|dv|fa|haz|he|ku|ps|sd|ug|ur|yi)(?:[_-]|$)/i

export const isRightToLeft = (locale: string): boolean => rightToLeft.test(locale)
