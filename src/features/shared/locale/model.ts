/** The language in which somebody is spoken to: their own, else that of the site. */
import type { Context } from '../../../core/declare/context.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Json } from '../../../storage/contract.ts'

/** In the meta of the user, and in the options of the site. */
const key = 'locale'
const defaultLocale = 'en_US'

export function localeOf({ storage, user }: Pick<Context, 'storage' | 'user'>): MaybePromise<string> {
  return andThen(
    all([storage.meta.read('user', [user.id], [key]), storage.options.read([key])]),
    ([[entry], options]) => [entry?.value, options[key]].find(isLocale) ?? defaultLocale,
  )
}

const isLocale = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^[a-zA-Z_-]{2,20}$/.test(value)

const rightToLeft = /^(?:ar|arc|azb|ckb|dv|fa|haz|he|ku|ps|sd|ug|ur|yi)(?:[_-]|$)/i

export const isRightToLeft = (locale: string): boolean => rightToLeft.test(locale)
