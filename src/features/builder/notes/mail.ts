/** Tells users who are mentioned in a note, after the commit, where the site has a mail service. */
import type { FeatureListeners } from '../../../core/declare/feature.ts'
import { unescapeHtml } from '../../../core/runtime/escape-html.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { mailServiceOf } from '../../../services/mail.ts'
import { readUsers } from './read.ts'

/** The event names users who may read the note and were not mentioned before; each gets one mail. */
export const mailMentioned: FeatureListeners = {
  'note.mentioned': async ({ note, notify }, { storage, app, settings }) => {
    const mail = mailServiceOf(app)
    if (!mail) return
    const [users, [post]] = await Promise.all([readUsers(storage, notify), storage.posts.read([note.postId])])
    const title = stripTags(post?.title ?? '').trim() || settings.name
    for (const { email } of users.filter((user) => user.email !== '' && !user.blocked)) {
      await mail.send({
        to: email,
        subject: `[${settings.name}] ${note.authorName} mentioned you on "${title}"`,
        text: [
          `${note.authorName} mentioned you in a note on "${title}":`,
          unescapeHtml(note.content),
          `${settings.home}/?p=${note.postId}`,
        ].join('\n\n'),
      })
    }
  },
}
