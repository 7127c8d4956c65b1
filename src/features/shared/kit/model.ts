/**
 * The kit: one site-wide record of design settings (colors, typography, variables, ...), kept in one option per part.
 * Features declare their parts; this file only reads and changes them so that parallel writers lose nothing.
 */
import { ApiError } from '../../../core/declare/errors.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Json, Storage } from '../../../storage/contract.ts'

/** `start` stands until something is stored. Lists in a part keep their order, members of objects need not. */
export interface KitPart<T> {
  readonly option: string
  readonly start: T
}

export const kitPart = <T>(name: string, start: T): KitPart<T> => ({ option: `builder_kit_${name}`, start })

/** What a change makes of a part. Without `next` nothing is written. */
export interface KitChange<T, R> {
  readonly next?: T
  readonly answer: R
}

export function readKit<T>(storage: Storage, part: KitPart<T>): MaybePromise<T> {
  return andThen(storage.options.read([part.option]), (options) => storedPart(part, options[part.option]))
}

/** A round is only lost to somebody else's write, so each one brings all writers together forward. */
const maxRounds = 1000

/**
 * Writes what `change` makes of the stored part, unless somebody wrote meanwhile: then `change` is asked again, about
 * what stands now. So `change` must do nothing but answer. Decided in the storage: it holds for many processes.
 */
export function changeKit<T, R>(
  storage: Storage,
  part: KitPart<T>,
  change: (stored: T) => KitChange<T, R>,
): MaybePromise<R> {
  const round = (left: number): MaybePromise<R> =>
    andThen(storage.options.read([part.option]), (options) => {
      const stored = options[part.option]
      const { next, answer } = change(storedPart(part, stored))
      if (next === undefined) return answer
      // The cast: parts are JSON, which an interface cannot say of itself.
      return andThen(storage.options.swap(part.option, stored ?? null, next as Json), (written) => {
        if (written) return answer
        if (left === 0) throw new ApiError('rest_conflict', 'Too many others change the kit. Please try again.', 409)
        return round(left - 1)
      })
    })
  return round(maxRounds)
}

// The cast: only `changeKit` and an import of the same site write the option.
const storedPart = <T>(part: KitPart<T>, stored: Json | undefined): T =>
  stored === undefined ? part.start : (stored as T)

// ---------------------------------------------------------------- values that end in a style sheet

/** Declarations, rules, escapes, comments and addresses: nothing of it belongs into a color, a font or a size. */
const unsafeInCss = /[;{}<>\\@:\p{Cc}]|\/\*|(?:url|src|image|image-set|cross-fade|element|expression)\s*\(/iu

/** True when the text stays one harmless value wherever a style sheet puts it. */
export function isCssValue(text: string): boolean {
  return !unsafeInCss.test(text) && isClosed(text)
}

/** An open quote or bracket would swallow what follows in the style sheet. */
function isClosed(text: string): boolean {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '')
  if (/["'[\]]/.test(bare)) return false
  let depth = 0
  for (const sign of bare) {
    if (sign === '(') depth++
    else if (sign === ')' && --depth < 0) return false
  }
  return depth === 0
}
