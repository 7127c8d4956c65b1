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

const signs: ReadonlyMap<string, string> = new Map(Object.entries(entities).map(([sign, entity]) => [entity, sign]))

/** Takes back what `escapeHtml` has written. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#039);/g, (entity) => signs.get(entity) ?? entity)
