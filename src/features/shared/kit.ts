/**
 * The kit: the design settings of the site (colors, typography, variables, ...), stored in one option per part.
 * Features declare their parts; this file reads and changes them so that concurrent writes lose nothing.
 */

import type { Json, Storage } from '../../contract/storage.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { storedState } from '../../core/pipeline/etag.ts'

/** `start` is the value until one is stored. Storages preserve the order of lists, but not that of object members. */
export interface KitPart<T> {
  readonly option: string
  readonly start: T
  /** For a setting that clients read and write by key too: its public shape. */
  readonly shape?: {
    /** Reads a value of any type, and keeps its valid parts. */
    readonly parse: (stored: Json) => T
    readonly format: (value: T) => Json
  }
  /** The option that earlier versions stored it in, without a shape. It is read until the part is written. */
  readonly formerly?: string
}

export const kitPart = <T>(name: string, start: T): KitPart<T> => ({ option: `builder_kit_${name}`, start })

/**
 * The result of a change: the new value of the part and what `changeKit` returns. Without `next` nothing is written.
 */
interface KitChange<T, R> {
  readonly next?: T
  readonly answer: R
}

export async function readKit<T>(storage: Storage, part: KitPart<T>): Promise<T> {
  return storedPart(part, await storage.options.read(optionsOf(part)))
}

/** `stored` of the routes of a part that is read and written as a whole. */
export const storedPartOf =
  <T>(part: KitPart<T>) =>
  async ({ storage }: { readonly storage: Storage }) =>
    storedState(await readKit(storage, part))

/** An attempt fails only when another write succeeds, so all writers together make progress. */
const maxAttempts = 1001

/**
 * Compare and set: writes `change` of the stored part. If another write came first, `change` runs again on the new
 * value, so it must have no side effects. Safe across processes. Throws `rest_conflict` (409) after too many attempts.
 */
export async function changeKit<T, R>(
  storage: Storage,
  part: KitPart<T>,
  change: (stored: T) => KitChange<T, R>,
): Promise<R> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const options = await storage.options.read(optionsOf(part))
    const { next, answer } = change(storedPart(part, options))
    if (next === undefined) return answer
    // The cast: parts are JSON, which a generic interface cannot express.
    const value = part.shape ? part.shape.format(next) : (next as Json)
    if (await storage.options.swap(part.option, options[part.option] ?? null, value)) return answer
  }
  throw new ApiError('rest_conflict', 'Too many others change the kit. Please try again.', 409)
}

const optionsOf = ({ option, formerly }: Pick<KitPart<unknown>, 'option' | 'formerly'>) =>
  formerly === undefined ? [option] : [option, formerly]

// The casts: only `changeKit` and an import of the same site write an option without a shape.
export function storedPart<T>(
  { option, start, shape, formerly }: KitPart<T>,
  options: { readonly [name: string]: Json },
): T {
  const stored = options[option]
  if (stored !== undefined) return shape ? shape.parse(stored) : (stored as T)
  const former = formerly === undefined ? undefined : options[formerly]
  return former === undefined ? start : (former as T)
}

// ---------------------------------------------------------------- values in style sheets

/** Matches declarations, rules, escapes, comments and URLs, which no color, font or size needs. */
const unsafeInCss = /[;{}<>\\@:\p{Cc}]|\/\*|(?:url|src|image|image-set|cross-fade|element|expression)\s*\(/iu

/** True when the text is one safe value at any position in a style sheet. */
export function isCssValue(text: string): boolean {
  return !unsafeInCss.test(text) && isClosed(text)
}

/** An open quote or bracket would extend into the rest of the style sheet. */
function isClosed(text: string): boolean {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '')
  if (/["'[\]]/.test(bare)) return false
  let depth = 0
  for (const character of bare) {
    if (character === '(') depth++
    else if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}
