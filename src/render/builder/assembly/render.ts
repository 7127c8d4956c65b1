/** Runs passes until one misses no record, and serializes the result of that pass. */

import type { Collection, Post } from '../../../contract/storage.ts'
import { type ApiError, isApiError } from '../../../core/declare/errors.ts'
import { inTurn, type Work } from '../../../core/runtime/work.ts'
import { ReadTags, readTagsOf } from '../../../core/tags/read-tags.ts'
import { type Sheet, toSheet } from '../css/sheets.ts'
import { limits } from '../document/limits.ts'
import type { PopupRules } from '../document/popup-rules.ts'
import { drawDocument } from '../elements/document.ts'
import { drawElement } from '../elements/draw.ts'
import { drawPopup, linkedPopups, withPopupLinks } from '../elements/popup.ts'
import { type Child, type HtmlElement, isNothing } from '../html/nodes.ts'
import { plainText } from '../html/plain-text.ts'
import { type PublicName, serialize } from '../html/serialize.ts'
import { Kit } from '../kit/kit.ts'
import {
  type ListRefresh,
  Pass,
  renderAborted,
  renderOverBudget,
  renderTimeout,
  renderTooLarge,
  type Tables,
} from '../pass/pass.ts'
import type { RenderContext, Rendered } from '../pass/render-context.ts'
import type { Scope } from '../pass/scope.ts'
import { type DocumentRecord, documents } from '../records/documents.ts'
import { componentType, kitKeys, templateType } from '../records/keys.ts'
import { options } from '../records/kinds.ts'
import { type RecordSource, Records, recordedSource } from '../records/records.ts'
import { warnOfShortcodes } from '../shortcodes/apply.ts'
import { wantIconsIn, warnOfIcons, withIconsIn } from '../widgets/icon.ts'
import { usedParts, withPublicNames } from './base-parts.ts'
import { type RenderCache, type RenderOutcome, tokenOf, withoutSheets } from './cache.ts'
import { withVariables, writeKit } from './kit-sheet.ts'

export interface RenderRequest {
  readonly source: RecordSource
  readonly tables: Tables
  readonly context: RenderContext
  /** Milliseconds since 1970. */
  readonly now: number
  /** Translates the names that the engine writes, on a site with a names preset. */
  readonly publicName?: PublicName
  readonly cache?: RenderCache | undefined
  /** The collections whose changes have tags. */
  readonly taggedCollections: ReadonlyMap<string, Collection>
  /** The budget of the request. */
  readonly work: Work
  /** Translates the names in texts with blocks. */
  readonly publicMarkup?: (html: string) => string
  /** Whether blocks of texts get the classes of their layouts. Default: false. */
  readonly hasLayout?: boolean | undefined
  /** The most characters of HTML. Default: the limit of a page. */
  readonly mostHtml?: number | undefined
  /** False: the reader gets no sheets, so it does not depend on what changes them alone. */
  readonly hasSheets?: boolean | undefined
  /** The caller has checked that the reader may read the document: its status and password are not checked again. */
  readonly isPermitted: boolean
  /** Returns whether the reader may see a post that is not published. */
  readonly mayRead: (post: Post, pass: Pass) => boolean
}

interface DrawnPage {
  readonly id: number
  /** Renders only the content of this element. */
  readonly part?: DrawnPart
  /** The location that the document fills as a template. */
  readonly location?: string
  /** Further dependencies: the conditions that selected the document. */
  readonly dependencies?: readonly string[]
}

export interface DrawnPart {
  /** An element as stored, or as an editor sends it. */
  readonly element: object
  /** The user whose rights apply to content that is not saved yet. Default: the last editor of the document. */
  readonly editor?: number
  readonly refresh?: ListRefresh
}

/** The content of one element, rendered without its wrapper. */
export interface RenderedPart extends Rendered {
  /** The end of `html`, which links to the other pages of the refreshed list. */
  readonly pagination?: string
  readonly rules?: PopupRules
}

/**
 * Returns undefined when the post has no builder document, or this reader may not see it. A failure is cached like a result: the next
 * reader does not pay for it again, until one of the records that it read has changed.
 */
export async function renderDocument(request: RenderRequest, page: DrawnPage): Promise<RenderedPart | undefined> {
  const cached = await request.cache?.find(request, page)
  if (!request.work.begin()) throw renderOverBudget()
  if (cached) return resultOf(cached, request)
  return request.work.amongFew(async () => {
    // Documents that were drawn meanwhile have taken work too.
    if (!request.work.begin()) throw renderOverBudget()
    const token = tokenOf(request)
    const reading = readTagsOf(request.source.storage)
    const { part, request: recorded } = reading || request.cache ? withTags(request) : { request }
    const made = await makeDocument(recorded, page)
    const tags = part && { tags: part.tags, isComplete: part.isComplete }
    if (tags) reading?.addPart(request.hasSheets === false ? withoutSheets(tags) : tags)
    if (!made) return undefined
    if (tags) request.cache?.store(request, page, { ...made, token, tags })
    return resultOf(made.outcome, request)
  })
}

/**
 * Records what one document is made from apart from the rest of the answer: the cache keeps both together. Where no answer is recorded,
 * a later one that is does not draw the document again.
 */
function withTags(request: RenderRequest) {
  const part = new ReadTags(request.taggedCollections, { hasColumns: true })
  return { part, request: { ...request, source: recordedSource(request.source, part) } }
}

function resultOf(outcome: RenderOutcome, { work }: RenderRequest): RenderedPart {
  if ('failure' in outcome) throw outcome.failure
  work.spendText(outcome.rendered.html.length)
  return outcome.rendered
}

interface Made {
  readonly outcome: RenderOutcome
  readonly records: Records
}

async function makeDocument(request: RenderRequest, page: DrawnPage): Promise<Made | undefined> {
  const { source, tables, context, now, work } = request
  const records = new Records(source)
  for (const name of kitKeys) records.want(options, name)
  records.want(documents, page.id)
  await records.load()
  // Whoever has no document depends on no kit.
  if (!hasElements(records.get(documents, page.id))) return undefined
  const kit = new Kit((name) => records.get(options, name), context)
  let units = 0
  for (let round = 1; ; round++) {
    if (context.signal?.aborted) throw renderAborted()
    const pass = new Pass({
      records,
      tables,
      kit,
      context,
      now,
      units: work.ofRecord,
      mayRead: request.mayRead,
      refresh: page.part?.refresh,
      ...{ hasLayout: request.hasLayout, publicMarkup: request.publicMarkup },
    })
    const drawn = await inTurn(() => drawPage(page, request, pass))
    work.spend(pass.units)
    units += pass.units
    if (records.isComplete) {
      return drawn && { outcome: await writePage(drawn, page, request, pass), records }
    }
    if (round === limits.rounds || units > limits.redrawn * work.ofRecord) {
      return { outcome: failed(renderTimeout(), pass), records }
    }
    await records.load()
  }
}

/** Writes the drawn page, with the icons that its texts name. */
async function writePage(
  drawn: PageContent,
  page: DrawnPage,
  request: RenderRequest,
  pass: Pass,
): Promise<RenderOutcome> {
  const html = isNothing(drawn.child) ? '' : await inTurn(() => serialize(drawn.child, request.publicName))
  if (wantIconsIn(html, pass)) await pass.records.load()
  warnOfShortcodes(html, pass)
  return inTurn(() => outcomeOf({ ...drawn, html }, page, request, pass))
}

const failed = (failure: ApiError, { dependencies }: Pass): RenderOutcome => ({
  failure,
  dependencies: [...dependencies],
})

function outcomeOf(drawn: WrittenPage, page: DrawnPage, request: RenderRequest, pass: Pass): RenderOutcome {
  try {
    const rendered = finish(drawn, page, request, pass)
    return { rendered, dependencies: rendered.dependencies }
  } catch (error) {
    if (isApiError(error)) return failed(error, pass)
    throw error
  }
}

type Drawn = ReturnType<typeof drawDocument>

interface PageContent {
  readonly child: Child
  /** Only popups have rules. */
  readonly rules?: PopupRules
}

interface WrittenPage extends PageContent {
  readonly html: string
}

function drawPage({ id, location, part }: DrawnPage, request: RenderRequest, pass: Pass): PageContent | undefined {
  const document = pass.document(id)
  if (!document || !hasElements(document)) return undefined
  if (!isVisible(document, request, pass)) return undefined
  writeKit(pass)
  const owner = part?.editor === undefined ? document : { ...document, editor: part.editor }
  const scope: Scope = { document: owner, post: currentPost(document, pass), stack: [id], depth: 0, loops: 0 }
  pass.openPosts.add(id)
  const classes = location === undefined ? [] : [`builder-location-${location}`]
  const child = part
    ? insideOf(drawElement(part.element, scope, pass))
    : drawDocument(scope, pass, { classes, isOutermost: !isOverlay(location) })
  pass.close()
  const content = pass.rewritten(child)
  return location === 'popup' ? drawPopup(document, content, pass) : { child: content }
}

const hasElements = (document: DocumentRecord | undefined): boolean =>
  document?.isBuilt === true && !document.isUnreadable && document.elements.length > 0

/** The settings of an overlay are not those of the page below it. */
const isOverlay = (location: string | undefined): boolean => location === 'popup' || location === 'floating-buttons'

/** Removes the wrapper of an element. */
const insideOf = (child: Drawn): Drawn =>
  typeof child === 'object' && 'tag' in child ? (child as HtmlElement).children : child

function isVisible(document: DocumentRecord, { context, mayRead, isPermitted }: RenderRequest, pass: Pass): boolean {
  if (isPermitted) return true
  const { status, password, id } = document.post
  if (password !== '' && !(context.unlocked ?? []).includes(id)) return false
  return status === 'publish' || mayRead(document.post, pass)
}

/** Returns the current post: the one of the context, the document itself, or the preview post of a template. */
function currentPost({ post, pageSettings }: DocumentRecord, { context }: Pass): number {
  if (context.post !== undefined) return context.post
  if (context.templateContext) return 'post' in context.templateContext ? context.templateContext.post : 0
  if (post.type !== templateType && post.type !== componentType) return post.id
  const preview = Object.hasOwn(pageSettings, 'preview_id') ? Number(pageSettings['preview_id']) : 0
  return Number.isSafeInteger(preview) && preview > 0 ? preview : 0
}

function finish(
  { child, rules, html: written }: WrittenPage,
  page: DrawnPage,
  { publicName, mostHtml = limits.output }: RenderRequest,
  pass: Pass,
): RenderedPart {
  const withIcons = withIconsIn(written, pass)
  const html = [...pass.credits].join('') + withPopupLinks(withIcons)
  warnOfIcons(pass)
  const base = usedParts(pass.tables.baseParts(pass.breakpoints), html, pass.behaviours)
  const css = [...base, ...withVariables(pass.sheets.toList(), pass).map((sheet) => renamed(sheet, publicName))]
  const size = css.reduce((sum, sheet) => sum + sheet.css.length, html.length)
  if (size > limits.output || html.length > mostHtml) throw renderTooLarge()
  for (const tag of page.dependencies ?? []) pass.depend(tag)
  const bodyClasses = [`builder-kit-${pass.kit.id}`, 'builder-page', `builder-page-${page.id}`]
  return {
    html,
    ...(isNothing(pass.refreshedLinks) ? {} : { pagination: serialize(pass.refreshedLinks, publicName) }),
    css,
    fonts: [...pass.fonts].sort(),
    behaviours: [...pass.behaviours].sort(),
    bodyClasses: publicName ? bodyClasses.map(publicName) : bodyClasses,
    text: plainText(child),
    dependencies: [...pass.dependencies].sort(),
    warnings: pass.warnings.toList(),
    popups: linkedPopups(html),
    ...(rules ? { rules } : {}),
  }
}

/** Custom CSS stays as users wrote it. */
const renamed = (sheet: Sheet, publicName: PublicName | undefined): Sheet =>
  publicName && !sheet.key.startsWith('custom') ? toSheet(sheet.key, withPublicNames(sheet.css, publicName)) : sheet
