/** Ids that widgets derive from the id of their element. */
import type { Element } from '../../document/element.ts'

/** The id read as a hexadecimal number, in decimal; other characters are skipped. */
export function elementNumber({ id }: Element): string {
  const digits = id.replace(/[^\da-f]+/gi, '')
  return digits === '' ? '0' : BigInt(`0x${digits}`).toString()
}

/** Its first three digits. */
export const shortNumber = (element: Element): string => elementNumber(element).slice(0, 3)
