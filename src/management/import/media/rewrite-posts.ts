/** Applies a rewrite to all imported posts: their texts and the meta that has structured values. */
import type { Json, Post, PostValues, Storage } from '../../../contract/storage.ts'
import { inOneTransaction, type ManagementContext } from '../../context.ts'
import { importKey } from '../entries/posts.ts'
import { importedMeta } from '../imported-posts.ts'
import type { MediaRewrite } from './rewrite.ts'

/** Rows per transaction: texts are long. */
const batchSize = 50

export async function rewritePosts(context: ManagementContext, rewrite: MediaRewrite): Promise<void> {
  for await (const imported of importedMeta(context, [importKey])) {
    for (let from = 0; from < imported.length; from += batchSize) {
      const batch = imported.slice(from, from + batchSize).map(({ id }) => id)
      await inOneTransaction(context.storage, (transaction) => rewriteBatch(transaction, batch, rewrite))
    }
  }
}

async function rewriteBatch(transaction: Storage, ids: readonly number[], rewrite: MediaRewrite): Promise<void> {
  const rows = await transaction.posts.read(ids)
  const updates = rows.flatMap((row) => {
    const changes = changesOf(row, rewrite)
    return Object.keys(changes).length > 0 ? [{ id: row.id, changes }] : []
  })
  const meta = (await transaction.meta.read('post', ids)).flatMap((entry) => {
    if (entry.key.startsWith('_import_') || entry.key.startsWith('_attach')) return []
    const value = rewrite.value(entry.value)
    return JSON.stringify(value) === JSON.stringify(entry.value) ? [] : [{ ...entry, value }]
  })
  const withMeta = [...new Set(meta.map(({ id }) => id))].filter((id) => !updates.some((update) => update.id === id))
  // The row of changed meta too: its version is that of all that belongs to it.
  const touched = [...updates, ...withMeta.map((id) => ({ id, changes: {} }))]
  if (touched.length > 0) await transaction.posts.update(touched)
  if (meta.length > 0) await transaction.meta.write('post', meta as { id: number; key: string; value: Json }[])
}

function changesOf({ content, excerpt }: Post, rewrite: MediaRewrite): Partial<PostValues> {
  const texts = { content: rewrite.text(content), excerpt: rewrite.text(excerpt) }
  return {
    ...(texts.content === content ? {} : { content: texts.content }),
    ...(texts.excerpt === excerpt ? {} : { excerpt: texts.excerpt }),
  }
}
