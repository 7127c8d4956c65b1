/** Chooses the scripts of a page, and the texts and addresses that they read from the root element of the page. */

import type { Post } from '../../contract/storage.ts'
import { commentForm } from '../../features/builder/form-submissions/intake/challenge.ts'
import { hasRoute } from '../../features/content/content-types/model.ts'
import type { Rendered } from '../../render/builder/pass/render-context.ts'
import { challengeFile } from '../challenge.ts'
import type { Markup } from '../content/markup.ts'
import { type Drawn, drawnParts } from '../documents/draw.ts'
import { addressOf, type Visit } from '../visit.ts'
import { type OwnFiles, scriptAddress } from './asset.ts'

interface ScriptedPage {
  readonly drawn: Drawn
  readonly main: Markup
  /** The theme shows it below the main part. */
  readonly below?: Markup
  readonly post?: Post
}

interface PageScripts {
  readonly addresses: readonly string[]
  /** Attributes of the root element by their names after `data-`. */
  readonly data: { readonly [name: string]: string }
}

export function scriptsOf(page: ScriptedPage, own: OwnFiles, visit: Visit): PageScripts {
  const parts = drawnParts(page.drawn)
  const needed = new Set(parts.flatMap(({ behaviours }) => behaviours.map(scriptOf)))
  const hasForms = parts.some(({ html }) => html.includes(' name="form_id"'))
  const commented = commentedIn(page, parts, visit)
  if (hasForms || commented) needed.add('forms')
  return {
    addresses: [...needed].sort().flatMap((name) => scriptAddress(name, own, visit)),
    data: {
      ...(hasForms ? wordsFor(parts, visit) : {}),
      ...(needed.has('forms') ? challengeData(own, visit) : {}),
      ...(needed.has('lists') ? listsData(visit) : {}),
      ...(commented ? { commented: String(commented.id), 'comment-form': commentForm } : {}),
    },
  }
}

/** Returns the name of the script for a behaviour. The forms themselves are no behaviour. */
function scriptOf(behaviour: string): string {
  if (behaviour === 'popup') return 'popups'
  if (behaviour === 'list' || behaviour === 'search') return 'lists'
  return behaviour.startsWith('form-') ? 'forms' : 'page'
}

/** Names the routes that draw saved lists. Without them the script loads the pages that the links name. */
const listsData = ({ app, settings, isDraft }: Visit): PageScripts['data'] =>
  !isDraft && hasRoute(app, '/builder-pro/v1/refresh-loop')
    ? { lists: `${settings.apiRoot}${app.names.toPublic('/builder-pro/v1')}` }
    : {}

/** Returns the post for whose comments a script solves the challenge. */
function commentedIn(
  { main, below, post }: ScriptedPage,
  parts: readonly Rendered[],
  { options }: Visit,
): Post | undefined {
  const texts = [main.markup, below?.markup ?? '', ...parts.map(({ html }) => html)]
  return options.challenge.comments === true && texts.some((text) => text.includes(' name="comment_form"'))
    ? post
    : undefined
}

function wordsFor(parts: readonly Rendered[], { options: { words } }: Visit): PageScripts['data'] {
  const hasSteps = parts.some(({ behaviours }) => behaviours.includes('form-steps'))
  return {
    sent: words.formSent,
    ...(hasSteps ? { previous: words.previous, next: words.next, step: words.formStep } : {}),
  }
}

/** Any form may be answered with a challenge; where the host asks everybody, scripts do not wait for that. */
function challengeData(own: OwnFiles, visit: Visit): PageScripts['data'] {
  const [worker] = scriptAddress('proof', own, visit)
  if (worker === undefined) return {}
  const { assets, challenge, words } = visit.options
  return {
    worker,
    'challenge-at': addressOf(visit, `${assets}/${challengeFile}`),
    'challenge-runs': words.challengeRuns,
    ...(challenge.forms === true ? { challenged: 'true' } : {}),
  }
}
