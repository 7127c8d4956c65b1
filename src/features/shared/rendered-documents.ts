/** Renders posts that the page builder has made: their content and excerpt come from their documents. */
import type { Context } from '../../core/declare/context.ts'
import { isApiError } from '../../core/declare/errors.ts'
import { warn } from '../../core/declare/result.ts'
import { requestWork } from '../../core/pipeline/request-work.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import { Work } from '../../core/runtime/work.ts'
import { builderEngine, builderRenderOf } from '../../render/builder/assembly/lazy.ts'
import { editModeKey, elementsKey, pageSettingsKey, templateTypeKey } from '../../render/builder/records/keys.ts'
import { createIcons } from '../../services/icons/index.ts'
import type { FoundPost } from '../content/posts/model.ts'
import { isObject } from './elements.ts'
import type { MetaValues } from './post-meta.ts'

/** The services of each feature that has documents. A profile with none of them draws the texts of posts alone. */
export const drawsDocuments = { engine: () => builderEngine, icons: () => createIcons() }

export interface RenderedDocument {
  /** The content, as HTML without its sheets. */
  readonly html: string
  /** The text from which an excerpt is cut, as HTML. */
  readonly text: string
  /** Whether the result depends only on the storage and the reader, and not on the time or a service of the host. */
  readonly isStored: boolean
}

type DocumentContext = Pick<Context, 'storage' | 'settings' | 'app'> & Partial<Pick<Context, 'user' | 'incoming'>>

/** Returns whether the page builder edits the post with this meta. */
export const isBuilt = (meta: MetaValues): boolean => meta[editModeKey] === 'builder'

/**
 * Matches the dependencies of a rendered document that change by writes alone. `vary:` is one of them here: a document is rendered without
 * the address of a request, so no result differs between requests.
 */
const storedTag =
  /^(?:post|media|user|term|meta|option|query|menu|comments|variable|class|component|conditions):|^(?:kit|variables|classes|vary:(?:user|request))$/

export const isStoredTag = (tag: string): boolean => storedTag.test(tag)

/**
 * Undefined: the post shows its stored texts. So does one whose document has no readable elements, takes too much work or becomes too
 * large: it must not take the list that it is in with it.
 */
export async function renderedDocumentOf(
  { storage, settings, app, user, incoming }: DocumentContext,
  /** `current`: the post that dynamic values are about, where it is not the document itself. */
  { id, current }: { readonly id: number; readonly current?: number },
  meta: MetaValues,
): Promise<RenderedDocument | undefined> {
  if (!isBuilt(meta)) return undefined
  const work = incoming === undefined ? new Work(app.limits.requestWork) : requestWork({ app, incoming })
  const mostHtml = work.charactersOfRecord
  const where = { storage, site: settings, now: app.clock(), isPermitted: true, work, mostHtml, hasSheets: false }
  const reader = user !== undefined && user.id > 0 ? { user: user.id } : {}
  try {
    const rendered = await builderRenderOf(app).document(where, id, {
      ...reader,
      ...(current === undefined ? {} : { post: current }),
      unlocked: [id],
    })
    if (!rendered) return undefined
    const isStored = rendered.dependencies.every(isStoredTag)
    return { html: rendered.html, text: escapeHtml(rendered.text), isStored }
  } catch (error) {
    if (isApiError(error)) return undefined
    throw error
  }
}

/**
 * Warns of what a document stores and no page shows: elements that no renderer knows (a misspelt name, or a widget that the host
 * has not added; the engine draws their children), and settings without an effect. `before`: the stored meta of the document.
 */
export async function warnOfUndrawn(
  context: Pick<Context, 'app' | 'warnings'>,
  meta: MetaValues,
  before: MetaValues = {},
): Promise<void> {
  const { [elementsKey]: stored, [pageSettingsKey]: settings } = meta
  const param = (key: string) => `meta.${context.app.names.toPublic(key)}`
  if (typeof stored === 'string' && stored !== '' && context.warnings) {
    // It has been parsed before: the cast holds, because anything but a list is refused.
    await warnOfUnknownTypes(context, JSON.parse(stored) as unknown[], param(elementsKey))
  }
  const type = String(meta[templateTypeKey] ?? before[templateTypeKey] ?? '')
  await warnOfUndrawnSettings(context, { type, settings, param: param(pageSettingsKey) })
}

interface SentSettings {
  /** The type of the document. */
  readonly type: string
  readonly settings: unknown
  readonly param: string
}

/** Warns of settings of a document that no page shows. */
export async function warnOfUndrawnSettings(
  context: Pick<Context, 'app' | 'warnings'>,
  { type, settings, param }: SentSettings,
): Promise<void> {
  if (!context.warnings || !isObject(settings)) return
  const names = await builderRenderOf(context.app).undrawnSettings(type, settings)
  if (type === 'kit') {
    const message = 'A stored kit changes no page by itself: the host takes it over with api.site.kit.use(id).'
    warn(context, { code: 'kit_not_used', param, message })
  }
  if (names.length === 0) return
  const what = names.length === 1 ? 'A setting is' : 'Settings are'
  const message = `${what} kept, but no page changes with ${listOf(names)}.`
  warn(context, { code: 'undrawn_setting', param, message })
}

/** Warns of elements that came in the argument `param`. */
export async function warnOfUnknownTypes(
  context: Pick<Context, 'app' | 'warnings'>,
  sent: readonly unknown[],
  param: string,
): Promise<void> {
  if (!context.warnings) return
  const { widgets, elements, undrawn } = await builderRenderOf(context.app).unknownTypes(sent)
  if (widgets.length > 0) {
    const message = `No widget is called ${listOf(widgets)}: its texts, links and images are shown without its own form.`
    warn(context, { code: 'unknown_widget', param, message })
  }
  if (elements.length > 0) {
    const message = `No element is called ${listOf(elements)}: only the elements inside are shown.`
    warn(context, { code: 'unknown_element', param, message })
  }
  if (undrawn.length > 0) {
    const reasons = [...new Set(undrawn.map(({ reason }) => reason))].join(' ')
    const message = `No page shows ${listOf(undrawn.map(({ type }) => type))}. ${reasons}`
    warn(context, { code: 'undrawn_widget', param, message })
  }
}

const maxNames = 10
const listOf = (names: readonly string[]): string =>
  names
    .slice(0, maxNames)
    .map((name) => JSON.stringify(name))
    .join(' or ') + (names.length > maxNames ? `, and ${names.length - maxNames} more` : '')

/** Returns the readable text of a document as paragraphs, for the search and for readers without the page builder. */
export const searchTextOf = ({ text }: RenderedDocument): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${line.trim()}</p>`)
    .join('\n')

/** Writes the search text of a document as the content of its post. */
export async function writeSearchText(context: DocumentContext, post: FoundPost, meta: MetaValues): Promise<FoundPost> {
  const rendered = await renderedDocumentOf(context, post, meta)
  const content = rendered && searchTextOf(rendered)
  if (content === undefined || content === post.content) return post
  await context.storage.posts.update([{ id: post.id, changes: { content } }])
  return { ...post, content, version: post.version + 1 }
}

/** Returns the part of the entity tag that changes whenever the rendered document, or the drawn content, does. */
export const digestOf = (texts: { readonly html: string; readonly text?: string } | undefined): string =>
  texts === undefined ? '' : `x${sha256Of(JSON.stringify([texts.html, texts.text])).slice(0, 10)}`
