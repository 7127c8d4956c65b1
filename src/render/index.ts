/** Renders stored texts as HTML by applying the rules of each kind of text in order. Each rule has a file. */
import type { AppContext } from '../core/declare/app-context.ts'
import type { Settings } from '../site/settings.ts'
import { hasBlocks } from './blocks/blocks.ts'
import { makeExcerpt } from './blocks/excerpt.ts'
import { renderWithGaps, withDrawnBlocks } from './blocks/render.ts'
import type { ExcerptOptions, Render, RenderContext, TextOptions } from './render.ts'
import { escapeLoneAmpersands } from './text/ampersands.ts'
import { budgeted, type TextBudget } from './text/budgeted.ts'
import { loadingHints } from './text/images.ts'
import { keepTexts } from './text/kept-texts.ts'
import { paragraphs } from './text/paragraphs.ts'
import { expandAddresses } from './text/shortcodes/embed.ts'
import { type ShortcodeNames, shortcodeNames } from './text/shortcodes/names.ts'
import { renderShortcodes, unwrapShortcodes } from './text/shortcodes.ts'
import { faces } from './text/smilies.ts'
import { typeset } from './text/typography.ts'

export type { Render }

/** Returns the service of the host, or the default one. */
export const renderOf = ({ services }: Pick<AppContext, 'services'>): Render => services['render'] as Render

/**
 * Returns the service with the settings of the site applied to contents and excerpts. Texts take their work from the budget of the
 * request; one over it is shown as plain text.
 */
export const siteRenderOf = (
  app: Pick<AppContext, 'services'>,
  settings: Pick<Settings, 'useSmilies'>,
  budget: TextBudget,
): Render => budgeted(bySettings(renderOf(app), settings), budget)

/** Interface: smilies stay as typed where `use_smilies` is off. */
export function bySettings(render: Render, { useSmilies }: Pick<Settings, 'useSmilies'>): Render {
  if (useSmilies) return render
  return {
    title: (raw) => render.title(raw),
    content: (raw, context) => render.content(raw, { ...context, faces: false }),
    excerpt: (post, options) => render.excerpt(post, { ...options, faces: false }),
  }
}

/**
 * Creates the default of `services.render`, which renders titles, contents and excerpts as HTML.
 *
 * ```ts
 * import { createRender } from 'site-api'
 *
 * export const html = createRender().title('Fish & chips')
 * ```
 */
export function createRender({ shortcodes = [] }: TextOptions = {}): Render {
  const isShortcode = shortcodeNames(shortcodes)
  const plainContent = keepTexts((expanded) => content(expanded, {}, isShortcode))
  const madeExcerpt = keepTexts((raw) => excerpt({ excerpt: '', content: raw }, {}, isShortcode))
  return {
    title: (raw) => trimBlanks(escapeLoneAmpersands(typeset(raw, undefined, isShortcode))),
    content: (raw, context = {}) => {
      const expanded = expandAddresses(raw)
      return dependsOnItself(expanded, context)
        ? plainContent(expanded)
        : content(expanded, context, context.draw?.isShortcode ?? isShortcode)
    },
    excerpt: (post, options = {}) =>
      options.words === undefined && options.faces !== false && trimBlanks(post.excerpt) === ''
        ? madeExcerpt(post.content)
        : excerpt(post, options, isShortcode),
  }
}

/** Whether nothing but the text decides: shortcodes and their players show the id of the post and other rows. */
const dependsOnItself = (expanded: string, { id: _, ...others }: RenderContext): boolean =>
  !expanded.includes('[') && Object.values(others).every((value) => value === undefined)

/** `expanded`: addresses that are alone on a line are shortcodes. */
function content(expanded: string, context: RenderContext, isShortcode: ShortcodeNames): string {
  const { html, drawn } = hasBlocks(expanded) ? renderWithGaps(expanded, context) : withoutBlocks(expanded)
  const expandedHtml = renderShortcodes(typeset(html, undefined, isShortcode), { ...context, isShortcode })
  return loadingHints(withDrawnBlocks(context.faces === false ? expandedHtml : faces(expandedHtml), drawn))
}

const withoutBlocks = (text: string) => ({ html: paragraphs(text), drawn: [] })

function excerpt(
  post: { readonly excerpt: string; readonly content: string },
  options: ExcerptOptions,
  isShortcode: ShortcodeNames,
): string {
  const text = trimBlanks(post.excerpt) === '' ? makeExcerpt(post.content, options.words, isShortcode) : post.excerpt
  const typed = typeset(text, undefined, isShortcode)
  const shown = options.faces === false ? typed : faces(typed)
  return loadingHints(unwrapShortcodes(paragraphs(escapeLoneAmpersands(shown)), undefined, isShortcode))
}

/** Trims blanks at both ends. A non-breaking blank stays. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
