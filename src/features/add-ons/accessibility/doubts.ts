/** Says why a remediation changes no page, as far as that is known before a page is shown. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Context } from '../../../core/declare/context.ts'
import { warn } from '../../../core/declare/result.ts'

interface Members {
  readonly [member: string]: unknown
}

const ACTIONS: { readonly [type: string]: readonly string[] | undefined } = lookupTable({
  ATTRIBUTE: ['add', 'update', 'remove', 'clear'],
  ELEMENT: ['add', 'add_child', 'add_before', 'add_after', 'update', 'remove', 'remove_child'],
  REPLACE: undefined,
  STYLES: undefined,
})

/** Finds parts that the pages of the site never take from a remediation. */
const ACTIVE = /<(?:script|iframe|object|embed|base|meta|link)\b|[\s"'/]on\w+\s*=|javascript:|<\/style/i

/** Warns of a remediation that is stored, and does nothing. `param`: the argument with its content. */
export function warnOfDoubts(context: Pick<Context, 'warnings'>, param: string, content: string): void {
  // The cast: the content is the JSON text of an object.
  const message = doubtOf(JSON.parse(content) as Members)
  if (message !== undefined) warn(context, { code: 'remediation_without_effect', param, message })
}

function doubtOf(members: Members): string | undefined {
  const text = (name: string): string => {
    const value = Object.hasOwn(members, name) ? members[name] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const type = text('type').toUpperCase()
  const action = text('action').toLowerCase()
  if (!Object.hasOwn(ACTIONS, type))
    return `${type || 'An empty type'} is no type of a remediation: it changes no page.`
  if (ACTIONS[type]?.includes(action) === false)
    return `${action || 'An empty action'} is no action of ${type}: it changes no page.`
  const lacking = lackingMember(type, action, text)
  if (lacking !== undefined) return `Without ${lacking} it changes no page.`
  return bringsActiveParts(type, text)
    ? 'It could run a script or load a page: the pages of the site leave it out.'
    : undefined
}

/** Addresses without blanks and control characters, which browsers skip. */
const RUNNING = /^(?:javascript:|vbscript:|data:text\/html)/i

type Text = (member: string) => string

function lackingMember(type: string, action: string, text: Text): string | undefined {
  const isSheet = type === 'STYLES' && text('rule').includes('{')
  const isPlaced = text('xpath').trim() !== '' || (type !== 'REPLACE' && text('find').trim() !== '')
  if (!isSheet && !isPlaced) return 'xpath'
  if (type === 'ATTRIBUTE' && text('attribute_name').trim() === '') return 'attribute_name'
  if (type === 'ELEMENT' && action !== 'remove' && text('content') === '' && text('child') === '') return 'content'
  if (type === 'REPLACE' && text('find') === '') return 'find'
  return type === 'STYLES' && text('rule').trim() === '' ? 'rule' : undefined
}

function bringsActiveParts(type: string, text: Text): boolean {
  if (type !== 'ATTRIBUTE') return ['content', 'child', 'replace', 'rule'].some((name) => ACTIVE.test(text(name)))
  const isHandler = /^\s*(?:on|srcdoc\s*$|http-equiv\s*$)/i.test(text('attribute_name'))
  return isHandler || RUNNING.test(text('attribute_value').replace(/[\s\p{Cc}]/gu, ''))
}
