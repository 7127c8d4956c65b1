/** The error for a value that is not a site document. */
export class SiteDocumentError extends Error {
  readonly code = 'site_document'
  /** Where the mistake is, such as `posts[3].status`; empty for the document itself. */
  readonly path: string
  constructor(path: string, problem: string) {
    super(`${path || 'the document'} ${problem}`)
    this.name = 'SiteDocumentError'
    this.path = path
  }
}

/** The path of a member, with names that are not words in brackets. */
export function memberPath(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
