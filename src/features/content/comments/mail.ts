/** Tells the author of a post about comments on it, after the commit, where the site has a mail service. */
import type { FeatureListeners } from '../../../core/declare/feature.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { mailServiceOf } from '../../../services/mail.ts'
import { isNote } from './model.ts'

export const mailAuthor: FeatureListeners = {
  'comment.created': async ({ comment }, { storage, app, settings }) => {
    const mail = mailServiceOf(app)
    if (!mail || comment.status === 'spam' || comment.status === 'trash') return
    const [post] = await storage.posts.read([comment.post])
    if (!post || post.author === 0 || post.author === comment.author) return
    const order = { by: 'id', descending: false } as const
    const { rows } = await storage.users.query({ ids: [post.author], order, offset: 0, limit: 1 })
    const to = rows[0]?.email
    if (!to) return
    const what = isNote(comment) ? 'note' : 'comment'
    const title = stripTags(post.title)
    await mail.send({
      to,
      subject: `[${settings.name}] New ${what} on "${title}"`,
      text: [
        `${comment.authorName} wrote a ${what} on "${title}"${comment.status === 'hold' && what === 'comment' ? ', which waits for approval' : ''}:`,
        stripTags(comment.content),
        `${settings.home}/?p=${post.id}#comment-${comment.id}`,
      ].join('\n\n'),
    })
  },
}
