/** Types of what a crawl finds at the addresses of a site. */
import { sha256Of } from '../../core/runtime/crypto.ts'
import { type Address, type FilePlace, localOf, placeOf } from './addresses.ts'

export type ContentKind = 'html' | 'css' | 'xml' | 'text' | 'bytes'

export interface FileVisit extends FilePlace {
  readonly kind: 'file'
  readonly content: ContentKind
  /** The validator of the response; empty where it has none. */
  readonly etag: string
}

export type Visit =
  | FileVisit
  | { readonly kind: 'redirect'; readonly to: string; readonly status: number }
  /** It is not the same for all visitors, or takes what they send. */
  | { readonly kind: 'server' }
  | { readonly kind: 'missing' }

/** Names the file of an address. */
export function fileVisit(address: Address, home: URL, content: ContentKind, etag: string): FileVisit {
  const place = placeOf(localOf(address, home), content === 'html' || content === 'xml' ? content : 'txt', sha256Of)
  return { kind: 'file', ...place, content, etag }
}

/**
 * The site can not be written as files: a page fails, there is no home page, or files of an earlier run can not be read. `code`: `static_site`.
 *
 * ```ts
 * await writeStaticSite(api, { to: 'public' }).catch((error) => error instanceof StaticSiteError && console.error(error.message))
 * ```
 */
export class StaticSiteError extends Error {
  readonly code = 'static_site'
}

export interface Visited {
  readonly visit: Visit
  /** All addresses to which the text refers, apart from those of forms. */
  readonly targets: readonly Address[]
  /** Those of them that are visited too. */
  readonly found: readonly Address[]
  /** Digests of the tags of the response; undefined: the next run has to ask again. */
  readonly tags: ReadonlySet<string> | undefined
}

/** An address that was visited, with the digest of where its links lead. */
export interface KnownVisit extends Visited {
  readonly links: string
}

/** The visits of the last run that nothing has touched since. */
export type KnownVisits = ReadonlyMap<Address, KnownVisit>
