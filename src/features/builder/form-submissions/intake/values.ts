/** Values of settings, which an author has written. */

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const isOn = (value: unknown): boolean => value === true || value === 'true' || value === 'yes'

export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}
