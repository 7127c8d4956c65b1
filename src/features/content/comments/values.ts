/** The rules about single values of a comment. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { CommentStatus } from '../../../site/comments/comment.ts'
import { noteStatusKey } from './args.ts'
import { cleanContent } from './cleaning.ts'
import type { CommentValues } from './model.ts'

/** Interface: a text or `{ raw }`; anything else counts as empty. */
export function contentOf({ user, settings }: Pick<Context, 'user' | 'settings'>, input: unknown): string {
  const raw = typeof input === 'object' && input !== null ? (input as { raw?: unknown }).raw : input
  if (typeof raw !== 'string') return ''
  return cleanContent(raw, { isTrusted: user.can('unfiltered_html'), home: settings.home })
}

interface Dated {
  readonly date?: string | undefined
  readonly date_gmt?: string | undefined
}

/** In GMT. The check of the arguments knows the form of a date only. */
export function dateOf({ settings }: Pick<Context, 'settings'>, { date, date_gmt: gmt }: Dated): string | undefined {
  if (date === undefined && gmt === undefined) return undefined
  const parsed = settings.time.parseDate(date ?? gmt ?? '', { isGmt: date === undefined, isExact: true })
  if (!parsed) throw new ApiError('rest_invalid_date', 'This is no date.', 400)
  return parsed.gmt
}

export function noteStatusOf({ meta }: { readonly meta?: object | undefined }): string {
  const value = (meta as { readonly [key: string]: unknown } | undefined)?.[noteStatusKey]
  return typeof value === 'string' ? value : ''
}

const words: { readonly [word: string]: CommentStatus } = lookupTable({
  approve: 'approved',
  approved: 'approved',
  1: 'approved',
  hold: 'hold',
  0: 'hold',
  spam: 'spam',
  trash: 'trash',
})

/** Interface: an unknown word is ignored. */
export const statusOf = (word: string): CommentStatus | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined

type StatusFields = Pick<CommentValues, 'status' | 'statusBefore'>

/** The status that a word gives a comment. */
export function changedStatus({ status, statusBefore }: StatusFields, word: string): StatusFields {
  const isRestored = (word === 'unspam' && status === 'spam') || (word === 'untrash' && status === 'trash')
  // The cast: only a status is stored there.
  if (isRestored) return { status: (statusBefore || 'hold') as CommentStatus, statusBefore: '' }
  const next = statusOf(word)
  if (next === undefined || next === status) return { status, statusBefore }
  return { status: next, statusBefore: next === 'spam' || next === 'trash' ? status : '' }
}

type Limited = Pick<CommentValues, 'authorName' | 'authorEmail' | 'authorUrl' | 'content'>

/** The bounds are in characters; that of the content in bytes. */
const limits: readonly (readonly [keyof Limited, string, number])[] = [
  ['authorName', 'comment_author_column_length', 245],
  ['authorEmail', 'comment_author_email_column_length', 100],
  ['authorUrl', 'comment_author_url_column_length', 200],
]
const maxContentBytes = 65_525

export function checkLengths(values: Limited): void {
  for (const [field, code, most] of limits) {
    if ([...values[field]].length > most) throw new ApiError(code, `A value has more than ${most} characters.`, 400)
  }
  if (new TextEncoder().encode(values.content).length > maxContentBytes) {
    throw new ApiError('comment_content_column_length', `A comment has at most ${maxContentBytes} bytes.`, 400)
  }
}
