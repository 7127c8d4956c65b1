/** Attributes and addresses as they may stand in HTML. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import { isSafeAddress } from '../filter/addresses.ts'

/** An empty value leaves its attribute out. Names are the caller's own. */
export const attributes = (values: { readonly [name: string]: string }): string =>
  Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

/** An address for an attribute; empty when its protocol could run a script. Still to be escaped. */
export const harmlessAddress = (address: string): string => (isSafeAddress(address) ? address : '')
