/** Hands out challenges to scripts, and asks people without a script to send a form once more. */

import type { ReceivedForm } from '../features/builder/form-submissions/intake/body.ts'
import { commentForm } from '../features/builder/form-submissions/intake/challenge.ts'
import type { ChallengeGate } from '../features/builder/form-submissions/intake/gate.ts'
import { html, type Markup, nothing } from './content/markup.ts'
import { textResponse } from './response.ts'
import type { Visit } from './visit.ts'

/** The file below the folder of assets at which scripts get a challenge. */
export const challengeFile = 'challenge'

export async function challengeResponse({ query }: Visit, gate: ChallengeGate): Promise<Response> {
  const post = /^\d{1,15}$/.exec(query.get('post') ?? '')?.[0]
  const asked = query.get('form') ?? ''
  const form = asked === commentForm ? commentForm : /^[\w-]{1,20}$/.exec(asked)?.[0]
  if (post === undefined || form === undefined) return textResponse('Not found\n', 404)
  const challenge = await gate.issue({ post: Number(post), form }, 'work')
  return new Response(JSON.stringify(challenge), {
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  })
}

const own: ReadonlySet<string> = new Set(['challenge_token', 'challenge_proof'])

/** A form with all that was sent. Files are chosen anew, because a page can not hand them back. */
export function sendAgain({ pairs, files }: ReceivedForm, token: string, { options: { words } }: Visit): Markup {
  const fields = [...new Set(files.map(({ field }) => field))]
  return html`<p>${words.challengeAgain}</p>
<form class="site-form" method="post"${fields.length === 0 ? nothing : html` enctype="multipart/form-data"`}>
${pairs.filter(([name]) => !own.has(name)).map(([name, text]) => hidden(name, text))}${hidden('challenge_token', token)}
${fields.map((field) => html`<label>${field}: <input type="file" name="form_fields[${field}]" multiple required></label>`)}
<button type="submit">${words.commentSend}</button>
</form>`
}

export const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`
