/** Converts the comments of an item. References are not resolved here: they stay ids of the file. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json } from '../../../contract/storage.ts'
import type { SiteTime } from '../../../site/time-zone.ts'
import type { FileComment } from '../reader.ts'
import type { Warn } from '../report.ts'
import { type MetaRules, plainMeta } from './meta.ts'

export interface MappedComment {
  /** The file's id; 0: none. */
  readonly number: number
  /** The file's id of the comment that it answers; 0: none. */
  readonly parent: number
  /** The file's id of the user who wrote it; 0: a visitor. */
  readonly user: number
  readonly authorName: string
  readonly authorEmail: string
  readonly authorUrl: string
  readonly authorIp: string
  /** GMT; empty where the file has no readable date. */
  readonly date: string
  readonly content: string
  readonly status: string
  /** `comment`, `pingback`, `trackback`, `note`, … */
  readonly type: string
  /** Absent: it has none. */
  readonly meta?: { readonly [key: string]: Json }
}

interface CommentRules extends MetaRules {
  readonly time: SiteTime
}

const statuses: { readonly [written: string]: string } = lookupTable({
  ...{ 1: 'approved', approve: 'approved', 0: 'hold', hold: 'hold' },
  ...{ spam: 'spam', trash: 'trash', 'post-trashed': 'post-trashed' },
})

/** The old site noted them for a way back from the trash. */
const temporary = /^_wp_trash_meta_/

export function mapComments(
  comments: readonly FileComment[],
  { time, ...rules }: CommentRules,
  warn: Warn,
): readonly MappedComment[] {
  return comments.map(({ fields, meta: entries }) => {
    const meta = plainMeta(
      entries.filter(([key]) => !temporary.test(key)),
      rules,
      warn,
    )
    const text = (name: string) => (fields[`wp:comment_${name}`] ?? '').trim()
    const number = (name: string) => (/^\d{1,15}$/.test(text(name)) ? Number(text(name)) : 0)
    const written = text('approved')
    return {
      number: number('id'),
      parent: number('parent'),
      user: number('user_id'),
      authorName: text('author'),
      authorEmail: text('author_email'),
      authorUrl: text('author_url'),
      authorIp: text('author_IP'),
      date: dateOf(text('date_gmt'), text('date'), time),
      content: text('content'),
      // Whoever reads an unknown status decides again.
      status: Object.hasOwn(statuses, written) ? (statuses[written] as string) : 'hold',
      type: text('type') || 'comment',
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
    }
  })
}

function dateOf(gmt: string, local: string, time: SiteTime): string {
  return time.parseDate(gmt, { isGmt: true })?.gmt ?? time.parseDate(local, { isGmt: false })?.gmt ?? ''
}
