/** Detects CSS that no sheet of a user may contain: rules that load other sheets, and scripts of old browsers. */

/** Imports load other sheets, and character sets change how the rest is read. */
export const REFUSED_RULES: ReadonlySet<string> = new Set(['import', 'charset', 'namespace'])

export const isRefusedDeclaration = (property: string, value: string): boolean =>
  UNSAFE.test(unescaped(value)) || property.toLowerCase() === 'behavior'

/** Old browsers run scripts from these values. */
const UNSAFE = /expression\s*\(|(?:java|vb)script\s*:|-moz-binding/i

/** Decodes escapes of CSS Syntax, which could spell a refused word. */
const unescaped = (value: string): string =>
  value.replace(/\\([\da-f]{1,6})\s?|\\/gi, (_, code?: string) => {
    const point = Number.parseInt(code ?? '0', 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
