/** Shows the feed of an archive, and that of the comments on a post. */

import type { Post } from '../../contract/storage.ts'
import { hasRoute } from '../../features/content/content-types/model.ts'
import { type FeedFormat, feedAddress, type Located } from '../address/locate.ts'
import { readComments } from '../comments/thread.ts'
import { type Entry, plainOf, readEntries } from '../content/entries.ts'
import { listArchive } from '../content/listing.ts'
import { filtered } from '../content/markup.ts'
import { feedContents } from '../content/text.ts'
import { type FeedItem, feedTypes, writeFeed } from '../feeds/feed.ts'
import { type EscapedText, escapeXml } from '../feeds/xml.ts'
import { respond } from '../response.ts'
import type { Visit } from '../visit.ts'
import { descriptionOf, type LocatedArchive, titleOf } from './archive.ts'
import { remediatedContents } from './remediations.ts'

const feedSize = 10
/** The time of a feed without items. */
const noTime = '1970-01-01T00:00:00'

export async function showFeed(
  { archive, address }: LocatedArchive,
  format: FeedFormat,
  visit: Visit,
): Promise<Response> {
  const { settings, options } = visit
  const { posts } = await listArchive(archive, { page: 1, size: feedSize, counts: 'none' }, visit)
  const newest = [...posts].sort((a, b) => (a.date < b.date ? 1 : -1))
  const entries = await readEntries(newest, visit)
  const addresses = entries.map((entry) => entry.address)
  const contents = await remediatedContents(await feedContents(newest, visit), addresses, visit)
  const isHome = archive.kind === 'posts'
  const title = titleOf(archive, visit)
  const body = writeFeed(format, {
    title: isHome ? settings.name : `${title} – ${settings.name}`,
    description: isHome ? settings.description : plainOf(await descriptionOf(archive, visit)) || title,
    address,
    self: feedAddress(address, format),
    language: options.locale,
    updated:
      entries
        .map(({ post }) => post.modifiedGmt)
        .sort()
        .at(-1) ?? noTime,
    items: entries.map((entry, index) => itemOf(entry, contents[index], visit)),
  })
  return respond(visit, { body, type: feedTypes[format] })
}

function itemOf(entry: Entry, content: EscapedText | undefined, { settings }: Visit): FeedItem {
  const { post, titleText, address, author, terms, excerpt } = entry
  return {
    id: `${settings.home}/?p=${post.id}`,
    ...{ title: titleText, address, terms, summary: excerpt.trim(), content },
    ...(author ? { author } : {}),
    published: post.dateGmt ?? post.date,
    updated: post.modifiedGmt,
  }
}

type LocatedPost = Extract<Located, { kind: 'post' }>

/** Returns undefined when the profile has no comments. A post with a password shows none. */
export async function showCommentFeed(
  { post, address }: LocatedPost,
  format: FeedFormat,
  visit: Visit,
): Promise<Response | undefined> {
  if (!hasRoute(visit.app, '/cms/v2/comments')) return undefined
  const { settings, options } = visit
  // The cast: the list has one entry for each post.
  const [{ titleText }] = (await readEntries([post], visit)) as [Entry]
  const items = post.password === '' ? await commentItems(post, address, visit) : []
  const body = writeFeed(format, {
    title: `${titleText} – ${options.words.commentsLabel} – ${settings.name}`,
    description: `${titleText} – ${options.words.commentsLabel}`,
    address,
    self: feedAddress(address, format),
    language: options.locale,
    updated: items[0]?.updated ?? noTime,
    items,
  })
  return respond(visit, { body, type: feedTypes[format] })
}

/** The newest comments come first. */
async function commentItems(post: Post, address: string, visit: Visit): Promise<FeedItem[]> {
  const { comments } = await readComments(post, feedSize, visit)
  return comments.map(({ id, name, dateGmt, content }) => ({
    id: `${visit.settings.home}/?p=${post.id}#comment-${id}`,
    title: name === '' ? visit.options.words.nameless : name,
    address: `${address}#comment-${id}`,
    terms: [],
    summary: '',
    content: { escaped: escapeXml(filtered(content).markup.trim()) },
    published: dateGmt,
    updated: dateGmt,
  }))
}
