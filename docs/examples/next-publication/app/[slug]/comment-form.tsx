'use client'

import { useActionState } from 'react'
import { comment, type Sent } from './actions'

const messages: { readonly [status in Sent['status']]: string } = {
  new: '',
  published: 'Thank you. Your comment is published.',
  held: 'Thank you. Your comment waits for approval.',
  refused: '',
}

/** Works without a script too. */
export function CommentForm({ post }: { readonly post: number }) {
  const begin: Sent = { status: 'new', values: { author_name: '', author_email: '', content: '' } }
  const [{ status, message, values }, send, isPending] = useActionState(comment, begin)
  return (
    <form action={send} className="panel" aria-labelledby="write">
      <h3 id="write">Write a comment</h3>
      <input type="hidden" name="post" value={post} />
      <p className={status === 'refused' ? 'notice problem' : 'notice'} role="status">
        {message ?? messages[status]}
      </p>
      <div className="pair">
        <p>
          <label htmlFor="author_name">Name</label>
          <input
            id="author_name"
            name="author_name"
            autoComplete="name"
            required
            maxLength={200}
            defaultValue={values.author_name}
          />
        </p>
        <p>
          <label htmlFor="author_email">E-mail address</label>
          <input
            id="author_email"
            name="author_email"
            type="email"
            autoComplete="email"
            required
            defaultValue={values.author_email}
            aria-describedby="author_email-hint"
          />
          <small id="author_email-hint">It is not shown.</small>
        </p>
      </div>
      <p>
        <label htmlFor="content">Comment</label>
        <textarea id="content" name="content" rows={6} required defaultValue={values.content} />
      </p>
      <button type="submit" disabled={isPending}>
        {isPending ? 'Sending…' : 'Send'}
      </button>
    </form>
  )
}
