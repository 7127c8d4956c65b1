/** Pages for people: texts that cannot become markup, one frame, and the headers that keep a page from being misused. */

import { type ResponseHeaders, type Result, result, Stream } from '../core/declare/result.ts'
import { integrityOf } from '../core/runtime/crypto.ts'
import { escapeHtml } from '../core/runtime/escape-html.ts'

/** Markup that was written here, or made of texts that were escaped. */
export interface Markup {
  readonly markup: string
}

type Part = string | Markup | readonly Markup[] | undefined

const markupOf = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Whatever stands in `${}` is a text, unless it was made by this function. Attributes are written with double quotes. */
export const html = (written: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: written.map((piece, index) => piece + markupOf(parts[index])).join(''),
})

/** A name that somebody chose: its direction must not turn the words around it. */
export const named = (text: string): Markup => html`<bdi>${text}</bdi>`

export interface Page {
  readonly title: string
  readonly style: string
  readonly main?: Markup
  /** Instead of `main`, for a page with landmarks of its own. */
  readonly body?: Markup
  /** Runs at the end of the page. It may ask its own origin, and cannot make markup of texts. */
  readonly script?: string
  readonly status?: number
  /** Where forms may lead, as sources of a content security policy. Default: nowhere. */
  readonly formAction?: string
  readonly headers?: ResponseHeaders
}

/**
 * A page without pictures or anything else from elsewhere, and with no script but the one that is given. Nobody may frame it, keep it, or learn its address;
 * scripts of other origins cannot read it.
 */
export function htmlPage(page: Page): Result {
  const { title, style, main, script, status = 200, formAction = "'none'", headers = {} } = page
  const body = page.body ?? html`<main>\n${main}\n</main>`
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>${title}</title>
${script === undefined ? undefined : noIcon}<style>${{ markup: style }}</style>
</head>
<body>
${body}
${script === undefined ? undefined : { markup: `<script>${script}</script>\n` }}</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src '${integrityOf(style)}'`,
    ...(script === undefined ? [] : rightsOf(script)),
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return result(new Stream(markup, 'text/html; charset=UTF-8'), {
    status,
    headers: { ...privacy, 'Content-Security-Policy': policy.join('; '), ...headers },
  })
}

const rightsOf = (script: string): readonly string[] => [
  `script-src '${integrityOf(script)}'`,
  "connect-src 'self'",
  'img-src data:',
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Chromium (156) asks for an icon on its own, and tells of it where the policy forbids that. */
const noIcon = html`<link rel="icon" href="data:,">\n`

/**
 * For every answer of a page. The policy for referrers is the strictest; the page itself relaxes it to its own origin,
 * because a browser that sends no referrer hides the origin of a form as well, and we ask for it.
 */
const privacy: ResponseHeaders = {
  'Cache-Control': 'private, no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** To another page, by GET, whatever brought us here. */
export const seeOther = (address: string): Result =>
  result(new Stream('', 'text/html; charset=UTF-8'), { status: 303, headers: { ...privacy, Location: address } })
