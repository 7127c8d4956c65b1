/** Escapes text for HTML, between tags and in quoted attributes. */
import { lookupTable } from '../../contract/lookup-table.ts'

const entities: { readonly [sign: string]: string } = lookupTable({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
})

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] as string)
