/** Names of uploaded files: portable, without folders, and without endings that a server might run. */

const MAX_LENGTH = 100

/** Endings before the last one that some servers take for a program. */
const PROGRAM = /^(?:php\d?|phtml|phar|pl|py|rb|cgi|asp|aspx|jsp|exe|sh|bat|cmd|js|mjs|html?|svg|xml)$/i

/** The part of a path behind its last slash, in either direction. */
const lastPart = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** A name of letters, digits, `_`, `-` and dots between them; its ending is `extension`. Letters lose their accents. */
export function safeFileName(given: string, extension: string): string {
  const base = lastPart(given).replace(/\.[^.]*$/, '')
  const parts = base
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\w.-]+/g, '-')
    .split('.')
    .map((part, index) => (index > 0 && PROGRAM.test(part) ? `${part}_` : part))
  const clean = parts
    .join('.')
    .replace(/-{2,}/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_LENGTH)
    .replace(/[-.]+$/, '')
  return `${clean === '' ? 'file' : clean}.${extension}`
}

/** The name in a `Content-Disposition` header: undefined without one. The form of RFC 8187 wins over the plain one. */
export function dispositionName(header: string): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  const decoded = encoded === undefined ? undefined : decodeOrUndefined(encoded)
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header) ?? []
  const name = decoded ?? quoted?.replace(/\\(["\\])/g, '$1') ?? bare
  return name === undefined || name.trim() === '' ? undefined : name.trim()
}

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
