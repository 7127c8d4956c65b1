/** Which documents refer to one. */
import type { Context } from '../../../core/declare/context.ts'
import { documentWindows, parseElements } from '../../shared/elements.ts'
import { idsIn } from '../../shared/references/element-references.ts'
import { mayReadDocument } from './kinds.ts'
import { type DocumentEntry, readEntries } from './model.ts'

/** The documents that refer to this one and that the user may read, by id. */
export async function documentsUsing(
  { storage, user }: Pick<Context, 'storage' | 'user'>,
  id: number,
): Promise<DocumentEntry[]> {
  const users: number[] = []
  for await (const window of documentWindows(storage)) {
    const naming = window.filter(({ text }) => text.includes(String(id)))
    users.push(...naming.filter(({ text }) => idsIn(parseElements(text)).post.has(id)).map((document) => document.id))
  }
  const entries = await readEntries({ storage, user }, users)
  return entries.filter(({ post }) => mayReadDocument(user, post))
}
