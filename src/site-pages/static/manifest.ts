/**
 * Keeps what a run has found beside its files: the digest of each file, and of each address what it became, what it refers to and what
 * it was made from. The next run asks the site for no address that nothing has touched since.
 */
import { parsedJson } from '../../contract/parsed-json.ts'
import type { LogPlace } from '../../core/tags/change-log.ts'
import { type MediaDriver, readFile } from '../../services/media-driver.ts'
import type { Address } from './addresses.ts'
import { tagDigest } from './reads.ts'
import { type ContentKind, fileVisit, type KnownVisit, type KnownVisits, StaticSiteError } from './visits.ts'

export const manifestName = '.site-api-static.json'

export interface Manifest {
  /** The digest of each file; empty for a file that is to be written again. */
  readonly files: { readonly [file: string]: string }
  /** Absent after a run that ended early, and where the site does not log its changes. */
  readonly made?: MadeSite | undefined
}

/** A run has found these visits; they name addresses and tags by their indexes. */
interface MadeSite {
  /** Digest of the versions and options with which the files were made. */
  readonly by: string
  readonly at: LogPlace
  readonly addresses: readonly Address[]
  readonly tags: readonly string[]
  readonly visits: readonly MadeVisit[]
}

/** `file` has content, `redirect` a status and `to`. */
interface MadeVisit {
  readonly of: number
  readonly kind: 'file' | 'redirect' | 'server' | 'missing'
  readonly content?: ContentKind
  readonly etag?: string
  readonly to?: string
  readonly status?: number
  /** Addresses to which the text refers, and those of them that are followed. */
  readonly targets?: readonly number[]
  readonly found?: readonly number[]
  /** Digest of where these addresses lead. */
  readonly links?: string
  readonly tags: readonly number[]
}

export async function manifestIn(files: MediaDriver): Promise<Manifest> {
  const bytes = await readFile(files, manifestName)
  if (bytes === undefined) return { files: {} }
  const manifest = parsed(new TextDecoder().decode(bytes))
  if (manifest && Object.keys(manifest.files).every(isInside)) return manifest
  throw new StaticSiteError(`${manifestName} can not be read: remove it, and all files are written again`)
}

function parsed(text: string): Manifest | undefined {
  const { files, made } = (parsedJson(text) ?? {}) as Partial<Manifest>
  return typeof files === 'object' && files !== null ? { files, made } : undefined
}

/** Files that are gone are removed: a changed manifest must not lead to others. */
const isInside = (file: string): boolean => !/(?:^|\/)\.\.?(?:\/|$)|[:\\]/.test(file)

/** The manifest does not decide which file an address has. */
export function untouchedVisits(
  { addresses, tags, visits }: MadeSite,
  touched: ReadonlySet<string>,
  home: URL,
): KnownVisits {
  const digests = new Set([...touched].map(tagDigest))
  const isTouched = tags.map((tag) => digests.has(tag))
  const named = (indexes: readonly number[] = []) => indexes.map((at) => addresses[at] ?? '')
  const known = new Map<Address, KnownVisit>()
  for (const { of, kind, content = 'bytes', etag = '', to = '', status = 0, links = '', ...rest } of visits) {
    if (rest.tags.some((at) => isTouched[at] ?? true)) continue
    const address = addresses[of] ?? ''
    const visit =
      kind === 'file'
        ? fileVisit(address, home, content, etag)
        : kind === 'redirect'
          ? { kind, to, status }
          : ({ kind } as const)
    const made = { tags: new Set(rest.tags.map((at) => tags[at] ?? '')) }
    known.set(address, { visit, targets: named(rest.targets), found: named(rest.found), links, ...made })
  }
  return known
}

/** Leaves out visits that have to be made again in each run. */
export function madeSite(by: string, at: LogPlace, visits: ReadonlyMap<Address, KnownVisit>): MadeSite {
  const addresses = new Indexes()
  const tags = new Indexes()
  const made = [...visits].flatMap(([address, { visit, targets, found, links, tags: own }]): MadeVisit[] => {
    if (!own) return []
    const { kind } = visit
    const of = addresses.of(address)
    const common = { of, kind, tags: [...own].map((tag) => tags.of(tag)) }
    const listed = (list: readonly Address[]) => list.map((one) => addresses.of(one))
    if (kind === 'redirect')
      return [{ ...common, to: visit.to, status: visit.status, targets: listed(targets), found: listed(found) }]
    if (kind !== 'file') return [{ ...common, targets: listed(targets), links }]
    const { content, etag } = visit
    return [{ ...common, content, etag, targets: listed(targets), found: listed(found), links }]
  })
  return { by, at, addresses: addresses.values, tags: tags.values, visits: made }
}

/** Numbers texts in the order in which they come. */
class Indexes {
  readonly #known = new Map<string, number>()

  of(text: string): number {
    const known = this.#known.get(text) ?? this.#known.size
    this.#known.set(text, known)
    return known
  }

  get values(): readonly string[] {
    return [...this.#known.keys()]
  }
}
