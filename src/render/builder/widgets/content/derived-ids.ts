/** Derives ids from the id of an element. */
import type { Element } from '../../document/element.ts'

/** Reads the id as a hexadecimal number and writes it in decimal; other characters are skipped. */
export function elementNumber({ id }: Element): string {
  const digits = id.replace(/[^\da-f]+/gi, '')
  return digits === '' ? '0' : BigInt(`0x${digits}`).toString()
}

/** Returns the first three digits. */
export const shortNumber = (element: Element): string => elementNumber(element).slice(0, 3)
