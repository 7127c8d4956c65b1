/** HTML pages: a template that escapes its values, the document frame, and the security headers. */

import { type ResponseHeaders, type Result, result, Stream } from '../core/declare/result.ts'
import { integrityOf } from '../core/runtime/crypto.ts'
import { escapeHtml } from '../core/runtime/escape-html.ts'

/** Trusted markup: literals of this code and escaped texts. */
export interface Markup {
  readonly markup: string
}

type Part = string | Markup | readonly Markup[] | undefined

const markupOf = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Escapes every value in `${}` except markup of this function. Attribute values must be in double quotes. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: literals.map((piece, index) => piece + markupOf(parts[index])).join(''),
})

/** A user-defined name, isolated so that its text direction does not affect the text around it. */
export const named = (text: string): Markup => html`<bdi>${text}</bdi>`

export interface Page {
  readonly title: string
  readonly style: string
  readonly main?: Markup
  /** Replaces `main`, for a page with its own landmarks. */
  readonly body?: Markup
  /** Runs at the end of the page. It cannot set markup from texts. */
  readonly script?: string
  /** Whether the script may send requests to its own origin. Default: to none. */
  readonly connects?: boolean
  readonly status?: number
  /** The `form-action` sources of the content security policy. Default: none. */
  readonly formAction?: string
  readonly headers?: ResponseHeaders
}

/**
 * A page without external resources and with no script but `script`. It can not be framed, cached or read by other origins,
 * and its URL is not sent as a referrer.
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
    ...(script === undefined ? [] : scriptPolicy(script)),
    ...(page.connects ? ["connect-src 'self'"] : []),
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return result(new Stream(markup, 'text/html; charset=UTF-8'), {
    status,
    headers: { ...privacy, 'Content-Security-Policy': policy.join('; '), ...headers },
  })
}

const scriptPolicy = (script: string): readonly string[] => [
  `script-src '${integrityOf(script)}'`,
  'img-src data:',
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** Chromium (156) requests an icon by default and logs an error where the policy forbids it. */
const noIcon = html`<link rel="icon" href="data:,">\n`

/**
 * For every response of a page. The referrer policy is the strictest; the page relaxes it to its own origin, because without
 * a referrer browsers send no `Origin` with forms either, which the consent page checks.
 */
const privacy: ResponseHeaders = {
  'Cache-Control': 'private, no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** Redirects to another page with GET (303). */
export const seeOther = (address: string): Result =>
  result(new Stream('', 'text/html; charset=UTF-8'), { status: 303, headers: { ...privacy, Location: address } })
