/** Returns the text; throws if it has a NUL character, which PostgreSQL cannot store. */
export function checkedText(text: string): string {
  if (text.includes('\0')) throw new TypeError('text must not hold a NUL character')
  return text
}
