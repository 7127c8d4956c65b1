/** Texts of terms as they are stored. A name is one line without tags, with `&`, `<` and `>` as references. */
import { stripTags } from '../html/strip-tags.ts'

const LONE_AMPERSAND = /&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)/g

/** Empty when nothing is left. Doing it twice changes nothing. */
export const termName = (text: string): string =>
  withReferences(
    stripTags(text)
      .replace(/[ \t\n\r\f\v]+/g, ' ')
      .trim(),
  )

/** A description: the elements stay. */
export const termDescription = (text: string): string => text.replace(LONE_AMPERSAND, '&amp;')

/** Escapes lone ampersands and brackets, for searching in names. */
export const withReferences = (text: string): string =>
  /[&<>]/.test(text) ? text.replace(LONE_AMPERSAND, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text
