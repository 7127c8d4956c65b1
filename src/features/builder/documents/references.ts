/** Finds image references in document elements: pairs of a URL and a medium id. */
import type { Json } from '../../../contract/storage.ts'

interface Replacement {
  /** Null: a picture that no medium has. */
  readonly id: number | null
  readonly url: string
}

/** `id`: that of the reference; 0 without one. Undefined: the reference stays unchanged. */
type Replace = (address: string, id: number) => Replacement | undefined

/** Deeper than any stored document; levels below are returned unchanged. */
const maxDepth = 200

type Members = { readonly [name: string]: Json }

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The distinct addresses of all references, those with a protocol. */
export function imageAddresses(document: Json): string[] {
  const addresses = new Set<string>()
  replaceReferences(document, (address) => {
    if (!address.startsWith('//')) addresses.add(address)
    return undefined
  })
  return [...addresses]
}

/** A copy of the document; references for which `replace` returns undefined stay unchanged. */
export function replaceReferences(document: Json, replace: Replace, depth = 0): Json {
  if (typeof document !== 'object' || document === null || depth > maxDepth) return document
  if (Array.isArray(document)) return document.map((child: Json) => replaceReferences(child, replace, depth + 1))
  // The cast: a value that is no array is an object here.
  const members = document as Members
  const pair = plainPair(members, replace) ?? taggedPair(members, replace)
  return Object.fromEntries(
    Object.entries({ ...members, ...pair }).map(([name, child]) => [
      name,
      replaceReferences(child, replace, depth + 1),
    ]),
  )
}

const isAddress = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^(?:https?:)?\/\//i.test(value)

/** Medium ids are numbers, or empty for an external image. An `id` of another type belongs to another object. */
const isMediumId = (value: Json | undefined) =>
  value === null || typeof value === 'number' || (typeof value === 'string' && /^\d*$/.test(value))

/** `{ "url": "https://…", "id": 12 }` */
function plainPair({ url, id }: Members, replace: Replace): Members | undefined {
  if (!isAddress(url) || !isMediumId(id)) return undefined
  const replacement = replace(url, Number(id))
  return replacement && { url: replacement.url, id: replacement.id ?? '' }
}

/**
 * `{ "$$type": "image-src", "value": { "id": …, "url": { "$$type": "url", "value": "https://…" } } }`: only one
 * of the two is set, the id for an image in the library.
 */
function taggedPair(members: Members, replace: Replace): Members | undefined {
  const { $$type: type, value } = members
  if (type !== 'image-src' || !isMembers(value)) return undefined
  const url = isMembers(value['url']) ? value['url']['value'] : undefined
  if (!isAddress(url)) return undefined
  const id = isMembers(value['id']) ? value['id']['value'] : undefined
  const replacement = replace(url, isMediumId(id) ? Number(id) : 0)
  if (replacement === undefined) return undefined
  if (replacement.id === null) return { value: { ...value, id: null } }
  return { value: { ...value, id: { $$type: 'image-attachment-id', value: replacement.id }, url: null } }
}
