/** The HTML page shown after the authorization server redirects the user back. It has no script and no form. */
import { type Result, result, Stream } from '../../../core/declare/result.ts'
import type { Settings } from '../../../site/settings.ts'

const headers = {
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

export function returnPage(settings: Settings, status: number, message: string): Result {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(message)}</title>
<h1>${escapeHtml(message)}</h1>
<p><a href="${escapeHtml(settings.home)}">Back to ${escapeHtml(settings.name || settings.home)}</a></p>
</html>
`
  return result(new Stream(html, 'text/html; charset=UTF-8'), { status, headers })
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
