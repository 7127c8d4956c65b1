/** Renders the content of a post as HTML for readers. */

import type { Json, Post } from '../../contract/storage.ts'
import { actorOf } from '../../core/declare/actor.ts'
import { findUserById } from '../../core/pipeline/authentication.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import { inTurn } from '../../core/runtime/work.ts'
import { isDrawn, renderContents } from '../../features/shared/drawn-contents.ts'
import { renderContext } from '../../features/shared/post-meta.ts'
import type { Rendered } from '../../render/builder/pass/render-context.ts'
import { editModeKey } from '../../render/builder/records/keys.ts'
import { filterContent } from '../../render/filter/filter.ts'
import { siteRenderOf } from '../../render/index.ts'
import { plainText, textWork, unlimited } from '../../render/text/budgeted.ts'
import { drawnOrNothing } from '../documents/draw.ts'
import { type EscapedText, escapeXml } from '../feeds/xml.ts'
import { noteSources, requestAddress, type Visit } from '../visit.ts'
import { withSetIcons } from './icons.ts'
import { filtered, type Markup, unfiltered } from './markup.ts'
import { rowText, type ShownText } from './row-texts.ts'

interface ContentOptions {
  /** False: blocks draw no form for a comment, because the page shows another one. Default: true. */
  readonly hasForm?: boolean
}

/**
 * Texts of authors without the right to unfiltered HTML are filtered before they are rendered. A text over the budget of work is shown
 * as plain text.
 */
export async function contentOf(post: Post, visit: Visit, { hasForm = true }: ContentOptions = {}): Promise<ShownText> {
  const { app, settings, storage, work } = visit
  const [meta, isTrusted] = await Promise.all([
    storage.meta.read('post', [post.id], ['footnotes']),
    mayWriteAnything(post.author, visit),
  ])
  const footnotes = meta[0]?.value ?? ''
  const drawn = await drawnContent(post, { footnotes, isTrusted, hasForm }, visit)
  if (drawn) return drawn
  const key = `content ${isTrusted} ${footnotes === '' ? '' : sha256Of(JSON.stringify(footnotes))}`
  return rowText(post, key, visit, async () => {
    if (!work.take(textWork(post.content))) {
      return inTurn(() => ({ markup: app.names.swapMarkup(plainText(post.content, work)), isPlain: true }))
    }
    const text = isTrusted ? post.content : await inTurn(() => filterContent(post.content))
    const render = siteRenderOf(app, settings, unlimited)
    const shown = await inTurn(() =>
      render.content(text, { ...renderContext(post.id, { footnotes }), hasLayout: true }),
    )
    const { markup } = await inTurn(() => unfiltered(app.names.swapMarkup(shown)))
    return { markup: await withSetIcons(markup, app), isPlain: false }
  })
}

/** Draws a text whose blocks show other rows. Undefined: it has none, or takes more work than is left. */
async function drawnContent(
  row: Post,
  {
    footnotes,
    isTrusted,
    hasForm,
  }: { readonly footnotes: Json; readonly isTrusted: boolean; readonly hasForm: boolean },
  visit: Visit,
): Promise<ShownText | undefined> {
  const { app, isPreview = false } = visit
  if (!isDrawn(visit, row)) return undefined
  const content = isTrusted ? row.content : await inTurn(() => filterContent(row.content))
  const stored = { row, content, hasLayout: true, ...(typeof footnotes === 'string' ? { footnotes } : {}) }
  const [rendered] = await renderContents(visit, [stored], {
    ...(hasForm ? { url: requestAddress(visit) } : {}),
    ...(isPreview ? { preview: true } : {}),
  })
  if (!rendered) return undefined
  noteSources(rendered.dependencies, visit)
  const { markup } = await inTurn(() => unfiltered(app.names.swapMarkup(rendered.html)))
  return { markup: await withSetIcons(markup, app), isPlain: false }
}

async function mayWriteAnything(author: number, { storage, settings }: Visit): Promise<boolean> {
  const user = author > 0 ? await findUserById(storage, author) : undefined
  return user !== undefined && !user.blocked && actorOf(user, settings.roles).can('unfiltered_html')
}

/**
 * Returns contents as `contentOf` does, escaped for XML; builder documents come without their style sheets. Undefined: the post shows
 * none.
 */
export async function feedContents(
  posts: readonly Post[],
  visit: Visit,
): Promise<readonly (EscapedText | undefined)[]> {
  const { storage } = visit
  const modes = await storage.meta.read(
    'post',
    posts.map(({ id }) => id),
    [editModeKey],
  )
  const built = new Set(modes.filter(({ value }) => value === 'builder').map(({ id }) => id))
  const contents: (EscapedText | undefined)[] = []
  // One after the other: side by side, all of them would take the budget before one is done.
  for (const post of posts) {
    const text = await inFeed(post, built.has(post.id), visit)
    contents.push(text === undefined || text.escaped === '' ? undefined : text)
  }
  return contents
}

async function inFeed(post: Post, isBuilt: boolean, visit: Visit): Promise<EscapedText | undefined> {
  if (post.password !== '') return undefined
  const drawn = isBuilt ? await drawnOrNothing(visit.render.withoutSheets(post.id)) : undefined
  noteSources(drawn?.dependencies ?? [], visit)
  return (drawn && (await documentInFeed(drawn, visit))) ?? contentInFeed(post, visit)
}

/** Documents that the cache of renders holds are the same objects for each reader. */
const documents = new WeakMap<Rendered, EscapedText>()

/** Feed readers run no scripts. Undefined: the document is over the budget of work, and the text of its post takes its place. */
async function documentInFeed(drawn: Rendered, { work }: Visit): Promise<EscapedText | undefined> {
  const known = documents.get(drawn)
  if (known) return work.show(known.escaped.length) ? known : undefined
  if (!work.take(textWork(drawn.html))) return undefined
  const shown = await inTurn(() => forFeed(filtered(drawn.html)))
  documents.set(drawn, shown)
  return shown
}

/** Without work that is left, an entry has its excerpt only. */
async function contentInFeed(post: Post, visit: Visit): Promise<EscapedText | undefined> {
  if (!visit.work.begin()) return undefined
  const make = async () => {
    const shown = await contentOf(post, visit)
    return inTurn(() => forFeed(shown.isPlain ? shown : filtered(shown.markup)))
  }
  // A text that shows other rows is another one when these change.
  const text = isDrawn(visit, post) ? await make() : await rowText(post, 'feed', visit, make)
  visit.work.spendText(text.escaped.length)
  return text
}

const forFeed = ({ markup }: Markup): EscapedText => ({ escaped: escapeXml(markup.trim()) })
