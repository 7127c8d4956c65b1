/** Writes attributes and addresses of HTML. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import { isSafeAddress } from '../filter/addresses.ts'

/** Leaves out attributes with an empty value. Names are constants of the caller and are not escaped. */
export const attributes = (values: { readonly [name: string]: string }): string =>
  Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

/** Returns the address, still unescaped; empty when its protocol could run a script. */
export const harmlessAddress = (address: string): string => (isSafeAddress(address) ? address : '')
