/** Draws the shortcodes of the builder and the host, in stored texts and in documents. Those of articles are in render/text. */
import type { ContentDrawer } from '../../render.ts'
import { builtInShortcode, type ShortcodeNames } from '../../text/shortcodes/names.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import { serialize } from '../html/serialize.ts'
import type { Pass, ShortcodeCall } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { shortcodeAnswers, shortcodeKey } from '../records/service-answers.ts'

/** The service of the host may know any name. */
export function shortcodesOf({ tables, records }: Pass): ShortcodeNames {
  const { shortcode } = records.source.services
  return (name) => shortcode !== undefined || tables.isShortcode(name)
}

/** Returns undefined for a name that nothing of the builder and the host knows: it is one of articles, or text. */
export function drawShortcode(call: ShortcodeCall): Child {
  const { name, attributes, inner, pass } = call
  const shortcode = pass.tables.shortcode(name)
  const isAsked = pass.records.source.services.shortcode !== undefined && !builtInShortcode(name)
  if (!shortcode && !isAsked) return undefined
  if (!pass.admit()) return ''
  if (shortcode) return shortcode(call) ?? ''
  pass.depend(`shortcode:${name}`)
  const answer = pass.get(shortcodeAnswers, shortcodeKey(name, attributes, inner))
  return answer === undefined ? undefined : trusted(answer)
}

/** Draws them inside the texts of articles. */
export const shortcodeDrawer =
  (scope: Scope, pass: Pass): NonNullable<ContentDrawer['shortcode']> =>
  (name, attributes, inner) => {
    const drawn = drawShortcode({ name, attributes, ...(inner === undefined ? {} : { inner }), pass, scope })
    return drawn === undefined ? undefined : serialize(drawn)
  }
