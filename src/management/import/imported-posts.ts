/** The meta of stored posts, window by window: what this and earlier imports have noted. */
import type { Json } from '../../contract/storage.ts'
import { type ManagementContext, postTypesOf, readWindows } from '../context.ts'

interface PostMeta {
  readonly id: number
  readonly key: string
  readonly value: Json
}

/** `types`: all but revisions by default. */
export async function* importedMeta(
  context: ManagementContext,
  keys: readonly string[],
  types: readonly string[] = postTypesOf(context).filter((type) => type !== 'revision'),
): AsyncGenerator<readonly PostMeta[]> {
  const { posts, meta } = context.storage
  const order = { by: 'id', descending: false } as const
  const windows = readWindows(async (offset, limit) => (await posts.query({ types, order, offset, limit })).idsPage)
  for await (const idsPage of windows) {
    const ids = idsPage.map(({ id }) => id)
    yield await meta.read('post', ids, keys)
  }
}
