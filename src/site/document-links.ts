/** Where links to documents of the page builder lead: the editor of the host, else addresses of the site. */

/**
 * Addresses in which `{id}` is the id of the document, `{home}` the address of the site and `{api}` that of the API.
 *
 * ```ts
 * import type { DocumentLinks } from 'site-api'
 *
 * export const documentLinks: DocumentLinks = {
 *   edit: '{home}/editor/{id}',
 *   export: '{api}/site-api/v1/documents/{id}/export',
 * }
 * ```
 */
export interface DocumentLinks {
  /** `edit_url` and `editURL`. Default: `{home}/?p={id}&edit=builder`. */
  readonly edit?: string
  /** `url` and `previewUrl` of templates. Default: addresses of the site with `builder_library` and `p`. */
  readonly preview?: string
  /** `export_link` and `exportLink` of templates. Default: the route of the template library that gives out the file. */
  readonly export?: string
}

/** The settings of the site have it. */
interface LinkSettings {
  readonly documentLinks: DocumentLinks
  readonly home: string
  readonly apiRoot: string
}

export function documentLink(settings: LinkSettings, kind: keyof DocumentLinks, id: number, byDefault: string): string {
  const { documentLinks, home, apiRoot } = settings
  const address = documentLinks[kind]
  if (address === undefined) return byDefault
  return address.replaceAll('{id}', String(id)).replaceAll('{home}', home).replaceAll('{api}', apiRoot)
}

/** Where the host opens the page builder with a document. */
export const editAddress = (settings: LinkSettings, id: number): string =>
  documentLink(settings, 'edit', id, `${settings.home}/?p=${id}&edit=builder`)
