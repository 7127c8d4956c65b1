/** The comments of imports as rows. */
import type { CommentRows } from '../../../core/declare/feature.ts'
import { type CommentStatus, commentsCollection } from '../../../site/comments/comment.ts'
import { noteStatusKey } from './args.ts'
import { cleanContent } from './cleaning.ts'
import { toRow } from './model.ts'

const noteStatuses: readonly unknown[] = ['resolved', 'reopen']

/** Another site may have let more through than this one does. */
export const importedComments: CommentRows = {
  collection: commentsCollection,
  row: ({ status, content, meta = {}, ...comment }) => {
    const { [noteStatusKey]: noteStatus, ...others } = meta
    return toRow({
      ...comment,
      content: cleanContent(content, { isTrusted: true, home: '' }),
      // The cast: imports name the same statuses.
      status: status as CommentStatus,
      // A file does not say what was before the trash: whoever restores it decides again.
      statusBefore: status === 'trash' || status === 'spam' ? 'hold' : '',
      statusBeforePost: status === 'post-trashed' ? 'hold' : '',
      authorUserAgent: '',
      // The cast: it is one of these texts.
      noteStatus: noteStatuses.includes(noteStatus) ? (noteStatus as string) : '',
      ...(Object.keys(others).length === 0 ? {} : { meta: others }),
    })
  },
}
