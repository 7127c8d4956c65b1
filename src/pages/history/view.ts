/** The view of the page of changes: how a record differs between two moments, for people. */
import type { Result } from '../../core/declare/result.ts'
import type { Settings } from '../../site/settings.ts'
import { html, htmlPage, type Markup, named } from '../html.ts'
import { historyStyle } from './style.ts'

type Value = unknown

interface ShownMember {
  readonly member: string
  readonly before: Value
  readonly after: Value
  readonly words?: readonly { readonly change: 'same' | 'removed' | 'added'; readonly text: string }[]
  readonly sentence: string
}

interface ShownElement {
  readonly id: string
  readonly change: 'added' | 'removed' | 'moved' | 'changed'
  readonly sentence: string
  readonly members: readonly ShownMember[]
}

/** The difference of a record, as the route of the history answers it. */
export interface ShownDifference {
  readonly record: string
  readonly title: string
  readonly from: string
  readonly to: string
  readonly state: 'same' | 'changed' | 'created' | 'removed' | 'absent'
  readonly members: readonly ShownMember[]
  readonly elements: readonly ShownElement[]
}

/** A moment at which the record changed. */
export interface ShownChange {
  readonly at: string
  readonly user: string
  readonly change: 'created' | 'changed' | 'removed'
}

interface PageParts {
  readonly settings: Settings
  /** The address of the page, without a host. */
  readonly address: string
  readonly difference: ShownDifference
  /** The newest first. */
  readonly changes: readonly ShownChange[]
}

export function changesPage({ settings, address, difference, changes }: PageParts): Result {
  const { title, record, from, to } = difference
  return htmlPage({
    title: [`What changed: ${title}`, settings.name].filter(Boolean).join(' – '),
    style: historyStyle,
    formAction: "'self'",
    main: html`<p class="site">${settings.name === '' ? '' : html`${named(settings.name)} · `}${record}</p>
<h1>${named(title)}</h1>
<p class="when">From ${timeOf(from, settings)} to ${timeOf(to, settings)}</p>
${countsOf(difference)}
${momentForm(address, difference)}
${bodyOf(difference)}
${timeline(address, difference, changes, settings)}`,
  })
}

const states = {
  same: 'Nothing changed between these two moments.',
  absent: 'There was no such record at either moment.',
  created: 'The record was created between these two moments.',
  removed: 'The record was removed between these two moments.',
  changed: '',
} as const

function countsOf({ state, members, elements }: ShownDifference): Markup | undefined {
  if (state === 'same' || state === 'absent') return undefined
  const count = (change: ShownElement['change']) => elements.filter((one) => one.change === change).length
  const badges = [
    badge(members.length, 'field', 'changed', 'changed'),
    ...(['added', 'removed', 'moved', 'changed'] as const).map((change) =>
      badge(count(change), 'element', change, change),
    ),
  ]
  return html`<p class="counts">${badges.filter((one) => one !== undefined)}</p>`
}

function badge(count: number, noun: string, verb: string, change: string): Markup | undefined {
  if (count === 0) return undefined
  return html`<span class="badge" data-change="${change}">${String(count)} ${noun}${count === 1 ? '' : 's'} ${verb}</span>`
}

function bodyOf({ state, members, elements }: ShownDifference): Markup {
  const said = states[state]
  const parts = [
    ...(said === '' ? [] : [html`<p class="${state === 'same' || state === 'absent' ? 'empty' : 'card'}">${said}</p>`]),
    ...(members.length > 0
      ? [html`<h2>Fields</h2>`, ...members.map((one) => html`<section class="card">${memberView(one)}</section>`)]
      : []),
    ...(elements.length > 0 ? [html`<h2>Elements</h2>`, ...elements.map(elementView)] : []),
  ]
  return html`<div>${parts}</div>`
}

const elementView = ({ id, change, sentence, members }: ShownElement): Markup => html`<section class="card">
<header><span class="badge" data-change="${change}">${change}</span><h3>${sentence}</h3><small>${id}</small></header>
${members.map(memberView)}
</section>
`

function memberView({ before, after, words, sentence }: ShownMember): Markup {
  const shown = words
    ? html`<p class="text">${words.map(runView)}</p>`
    : isSaid(before, after)
      ? undefined
      : html`<dl class="pair">${side('Before', before)}${side('After', after)}</dl>`
  return html`<div class="member"><p>${sentence}</p>${shown}</div>`
}

/** The sentence has the value of a member that came or went, unless it is long. */
const isSaid = (before: Value, after: Value): boolean =>
  [before, after].some((value) => value === null || value === '') && JSON.stringify([before, after]).length < 70

function runView({ change, text }: NonNullable<ShownMember['words']>[number]): Markup {
  if (change === 'added') return html`<ins>${text}</ins>`
  return change === 'removed' ? html`<del>${text}</del>` : html`${text}`
}

function side(label: string, value: Value): Markup {
  const text = value === null || value === '' ? '–' : typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  return html`<div><dt>${label}</dt><dd>${swatch(value)}${text.length > 2000 ? `${text.slice(0, 2000)}…` : text}</dd></div>`
}

/** The policy of the page allows no style attribute, but a drawing may have any colour. */
function swatch(value: Value): Markup | undefined {
  if (typeof value !== 'string' || !/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)) return undefined
  return html`<svg class="swatch" aria-hidden="true"><rect width="100%" height="100%" fill="${value}"/></svg>`
}

const momentForm = (address: string, { record, from, to }: ShownDifference): Markup => html`<form action="${address}">
<input type="hidden" name="record" value="${record}">
<div><label for="from">From (GMT)</label><input id="from" name="from" type="datetime-local" step="1" required value="${inputTime(from)}"></div>
<div><label for="to">To (GMT)</label><input id="to" name="to" type="datetime-local" step="1" value="${inputTime(to)}"></div>
<div><button>Compare</button></div>
</form>`

const inputTime = (moment: string) => moment.slice(0, 19)

function timeOf(moment: string, { time, timeZone }: Settings): Markup {
  const local = time.toLocal(moment.slice(0, 19)).replace('T', ' ')
  return html`<time datetime="${moment}">${local}${timeZone === '' ? '' : ` (${timeZone})`}</time>`
}

const verbs = { created: 'Created', changed: 'Changed', removed: 'Removed' } as const

/** Each change leads to the difference that it made. */
function timeline(
  address: string,
  { record, from, to }: ShownDifference,
  changes: readonly ShownChange[],
  settings: Settings,
): Markup | undefined {
  if (changes.length === 0) return undefined
  const items = changes.map(({ at, user, change }) => {
    const before = new Date(Date.parse(at) - 1).toISOString()
    const query = new URLSearchParams({ record, from: before, to: at })
    const isShown = at > from && at <= to
    return html`<li${isShown ? html` data-current` : undefined}><a href="${address}?${query.toString()}">${verbs[change]}</a> by ${named(user)}<br><small>${timeOf(at, settings)}</small></li>
`
  })
  return html`<h2>All changes of this record</h2>
<ol class="line">${items}</ol>`
}
