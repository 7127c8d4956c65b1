/** A copy of a stored file on this machine, for programs that read files by their path. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { isFilePath, mediaOf, openStored } from '../../../services/media.ts'
import type { LocalFile } from './drafts.ts'

export const fileMissing = () => new ApiError('rest_unknown_attachment', 'The file of this medium is not there.', 404)

/** The copy is removed when `work` ends. */
export async function withLocal<T>(
  { app }: Pick<Context, 'app'>,
  type: string,
  path: string,
  work: (local: LocalFile) => Promise<T>,
): Promise<T> {
  const stored = isFilePath(path) ? await openStored(mediaOf(app), path) : undefined
  if (stored === undefined) throw fileMissing()
  const { writeTemporaryFile } = await import('../../../services/temporary-file.ts')
  const limitBytes = Math.max(stored.size, 1)
  const copy = await writeTemporaryFile(stored.chunks({ start: 0, end: stored.size }), {
    limitBytes,
    tooLarge: fileMissing,
  })
  try {
    return await work({ ...copy, type, extension: /\.(\w+)$/.exec(path)?.[1] ?? '' })
  } finally {
    await copy.remove()
  }
}
