/** What no style sheet of a user may contain: rules that load others, and scripts of old browsers. */

/** Imports load sheets of others, and character sets change how the rest is read. */
export const REFUSED_RULES: ReadonlySet<string> = new Set(['import', 'charset', 'namespace'])

export const isRefusedDeclaration = (property: string, value: string): boolean =>
  UNSAFE.test(unescaped(value)) || property.toLowerCase() === 'behavior'

/** Scripts of old browsers. */
const UNSAFE = /expression\s*\(|(?:java|vb)script\s*:|-moz-binding/i

/** CSS Syntax, escapes: they could spell what is refused. */
const unescaped = (value: string): string =>
  value.replace(/\\([\da-f]{1,6})\s?|\\/gi, (_, code?: string) => {
    const point = Number.parseInt(code ?? '0', 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
