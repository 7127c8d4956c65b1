/** Renders the content of a post as HTML for readers. */

import type { Post } from '../../contract/storage.ts'
import { actorOf } from '../../core/declare/actor.ts'
import { findUserById } from '../../core/pipeline/authentication.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import { inTurn } from '../../core/runtime/work.ts'
import { renderContext } from '../../features/shared/post-meta.ts'
import type { Rendered } from '../../render/builder/pass/render-context.ts'
import { editModeKey } from '../../render/builder/records/keys.ts'
import { filterContent } from '../../render/filter/filter.ts'
import { siteRenderOf } from '../../render/index.ts'
import { plainText, textWork, unlimited } from '../../render/text/budgeted.ts'
import { drawnOrNothing } from '../documents/draw.ts'
import type { Visit } from '../visit.ts'
import { filtered, type Markup, nothing, unfiltered } from './markup.ts'
import { rowText, type ShownText } from './row-texts.ts'

/**
 * Texts of authors without the right to unfiltered HTML are filtered before they are rendered. A text over the budget of work is shown
 * as plain text.
 */
export async function contentOf(post: Post, visit: Visit): Promise<ShownText> {
  const { app, settings, storage, tags, work } = visit
  tags.add('option:use_smilies')
  const [meta, isTrusted] = await Promise.all([
    storage.meta.read('post', [post.id], ['footnotes']),
    mayWriteAnything(post.author, visit),
  ])
  const footnotes = meta[0]?.value ?? ''
  const key = `content ${isTrusted} ${footnotes === '' ? '' : sha256Of(JSON.stringify(footnotes))}`
  return rowText(post, key, visit, async () => {
    if (!work.take(textWork(post.content))) {
      return inTurn(() => ({ markup: app.names.swapMarkup(plainText(post.content, work)), isPlain: true }))
    }
    const text = isTrusted ? post.content : await inTurn(() => filterContent(post.content))
    const render = siteRenderOf(app, settings, unlimited)
    const shown = await inTurn(() => render.content(text, renderContext(post.id, { footnotes })))
    return inTurn(() => ({ ...unfiltered(app.names.swapMarkup(shown)), isPlain: false }))
  })
}

async function mayWriteAnything(author: number, { storage, settings, tags }: Visit): Promise<boolean> {
  tags.add('option:roles')
  const user = author > 0 ? await findUserById(storage, author) : undefined
  return user !== undefined && !user.blocked && actorOf(user, settings.roles).can('unfiltered_html')
}

/** Returns contents as `contentOf` does; builder documents come without their style sheets. */
export async function feedContents(posts: readonly Post[], visit: Visit): Promise<readonly Markup[]> {
  const { storage } = visit
  const modes = await storage.meta.read(
    'post',
    posts.map(({ id }) => id),
    [editModeKey],
  )
  const built = new Set(modes.filter(({ value }) => value === 'builder').map(({ id }) => id))
  const contents: Markup[] = []
  // One after the other: side by side, all of them would take the budget before one is done.
  for (const post of posts) contents.push(await inFeed(post, built.has(post.id), visit))
  return contents
}

async function inFeed(post: Post, isBuilt: boolean, visit: Visit): Promise<Markup> {
  if (post.password !== '') return nothing
  const drawn = isBuilt ? await drawnOrNothing(visit.render.document(post.id)) : undefined
  for (const tag of drawn?.dependencies ?? []) visit.tags.add(tag)
  return (drawn && (await documentInFeed(drawn, visit))) ?? contentInFeed(post, visit)
}

/** Documents that the cache of renders holds are the same objects for each reader. */
const documents = new WeakMap<Rendered, Markup>()

/** Feed readers run no scripts. Undefined: the document is over the budget of work, and the text of its post takes its place. */
async function documentInFeed(drawn: Rendered, { work }: Visit): Promise<Markup | undefined> {
  const known = documents.get(drawn)
  if (known) return work.show(known.markup.length) ? known : undefined
  if (!work.take(textWork(drawn.html))) return undefined
  const shown = await inTurn(() => filtered(drawn.html))
  documents.set(drawn, shown)
  return shown
}

/** Without work that is left, an entry has its excerpt only. */
async function contentInFeed(post: Post, visit: Visit): Promise<Markup> {
  if (!visit.work.begin()) return nothing
  const text = await rowText(post, 'feed', visit, async () => {
    const shown = await contentOf(post, visit)
    return shown.isPlain ? shown : inTurn(() => ({ ...filtered(shown.markup), isPlain: false }))
  })
  // Escaped, markup is twice as long.
  visit.work.spendText(2 * text.markup.length)
  return text
}
