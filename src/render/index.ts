/**
 * Stored texts as HTML: joins the rules in their order. Titles, contents and excerpts each take those that apply to them;
 * what a rule does is in its own file.
 */
import type { AppContext } from '../core/declare/app-context.ts'
import type { Settings } from '../site/settings.ts'
import { hasBlocks } from './blocks/blocks.ts'
import { renderBlocks } from './blocks/render.ts'
import { escapeLoneAmpersands } from './text/ampersands.ts'
import { makeExcerpt } from './text/excerpt.ts'
import { loadingHints } from './text/images.ts'
import { paragraphs } from './text/paragraphs.ts'
import { expandAddresses } from './text/shortcodes/embed.ts'
import { renderShortcodes, unwrapShortcodes } from './text/shortcodes.ts'
import { faces } from './text/smilies.ts'
import { typeset } from './text/typography.ts'

/** What belongs to a post besides the text. A rule that needs what is absent leaves its part out. */
interface RenderContext {
  /** The id of the post, for the ids of its players. */
  readonly id?: number
  /** The meta value `footnotes`: JSON in a text. */
  readonly footnotes?: string
  /** Whether faces typed with signs become emoji. Default: true. */
  readonly faces?: boolean
}

interface ExcerptOptions extends Pick<RenderContext, 'faces'> {
  /** The length of an excerpt that is made from the content, in words. Default: 55. */
  readonly words?: number
}

/** Texts are HTML as stored, answers are HTML for readers. None of them throws, and the cost is linear in the text. */
export interface Render {
  title(raw: string): string
  content(raw: string, context?: RenderContext): string
  /** A written excerpt, or one made from the content. */
  excerpt(post: { readonly excerpt: string; readonly content: string }, options?: ExcerptOptions): string
}

/** The host's service, or the default. */
export const renderOf = ({ services }: Pick<AppContext, 'services'>): Render => services['render'] as Render

/** The same by the settings of the site: for contents and excerpts. */
export const siteRenderOf = (app: Pick<AppContext, 'services'>, settings: Pick<Settings, 'useSmilies'>): Render =>
  bySettings(renderOf(app), settings)

/** Interface: faces stay as typed where `use_smilies` is off. */
export function bySettings(render: Render, { useSmilies }: Pick<Settings, 'useSmilies'>): Render {
  if (useSmilies) return render
  return {
    title: (raw) => render.title(raw),
    content: (raw, context) => render.content(raw, { ...context, faces: false }),
    excerpt: (post, options) => render.excerpt(post, { ...options, faces: false }),
  }
}

/**
 * The default of `services.render`: titles, content and excerpts as HTML.
 *
 * ```ts
 * import { createRender } from 'site-api'
 *
 * export const html = createRender().title('Fish & chips')
 * ```
 */
export function createRender(): Render {
  return { title, content, excerpt }
}

const title = (raw: string): string => trimBlanks(escapeLoneAmpersands(typeset(raw)))

function content(raw: string, context: RenderContext = {}): string {
  const expanded = expandAddresses(raw)
  const html = hasBlocks(expanded) ? renderBlocks(expanded, context) : paragraphs(expanded)
  const expandedHtml = renderShortcodes(typeset(html), context)
  return loadingHints(context.faces === false ? expandedHtml : faces(expandedHtml))
}

function excerpt(post: { readonly excerpt: string; readonly content: string }, options: ExcerptOptions = {}): string {
  const text = trimBlanks(post.excerpt) === '' ? makeExcerpt(post.content, options.words) : post.excerpt
  const typed = typeset(text)
  const shown = options.faces === false ? typed : faces(typed)
  return loadingHints(unwrapShortcodes(paragraphs(escapeLoneAmpersands(shown))))
}

/** Without blanks at both ends. A non-breaking blank is none. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
