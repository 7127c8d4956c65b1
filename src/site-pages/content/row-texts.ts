/** Caches the texts of posts as pages and feeds show them: the second reader of a long text pays nothing for it. */
import type { Post } from '../../contract/storage.ts'
import { createRowCache, noteReads } from '../../core/pipeline/response/row-cache.ts'
import type { Markup } from '../../pages/html.ts'
import type { EscapedText } from '../feeds/xml.ts'
import type { Visit } from '../visit.ts'

export interface ShownText extends Markup {
  /** True: the text was over the budget of work, and has paragraphs only. */
  readonly isPlain: boolean
}

type RowText = ShownText | EscapedText

/** The bound in characters, for each site. */
const maxCharacters = 32 * 1024 * 1024
const texts = createRowCache<RowText>(maxCharacters)

const lengthOf = (text: RowText): number => ('markup' in text ? text.markup : text.escaped).length

/**
 * Returns the text of this row, or makes it. `key` names the kind of text, on which its type depends, and all that it depends on besides
 * the row and the settings.
 */
export async function rowText<T extends RowText>(
  post: Post,
  key: string,
  visit: Visit,
  make: () => Promise<T>,
): Promise<T> {
  // A draft has the version of the row that it will change.
  if (visit.isDraft) return make()
  const whole = `${post.id}:${key}`
  // The cast: a key names texts of one type.
  const known = texts.get(visit, post, whole) as T | undefined
  if (known !== undefined) return known
  const noted = noteReads(visit)
  const text = await make()
  noted?.end()
  // Other records on the same page may have taken the work.
  if (!visit.work.isExceeded) texts.set(visit, post, whole, text, { size: lengthOf(text), noted })
  return text
}
