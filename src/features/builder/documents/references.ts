/** The pictures that the elements of a document refer to: pairs of an address and the id of a medium. */
import type { Json } from '../../../storage/contract.ts'

/** What an address is to be replaced with. */
export interface Replacement {
  readonly id: number
  readonly url: string
}

/** Deeper than any document may be written: what lies below is left as it is. */
const maxDepth = 200

type Members = { readonly [name: string]: Json }

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** All addresses that such pairs hold, each once. */
export function imageAddresses(document: Json): string[] {
  const found = new Set<string>()
  replaceReferences(document, (address) => {
    found.add(address)
    return undefined
  })
  return [...found]
}

/** The document with the pairs for which there is a replacement; all else stays. */
export function replaceReferences(
  document: Json,
  replace: (address: string) => Replacement | undefined,
  depth = 0,
): Json {
  if (typeof document !== 'object' || document === null || depth > maxDepth) return document
  if (Array.isArray(document)) return document.map((inner: Json) => replaceReferences(inner, replace, depth + 1))
  // The cast: what is no list is an object.
  const members = document as Members
  const pair = plainPair(members, replace) ?? taggedPair(members, replace)
  return Object.fromEntries(
    Object.entries({ ...members, ...pair }).map(([name, inner]) => [
      name,
      replaceReferences(inner, replace, depth + 1),
    ]),
  )
}

const isAddress = (value: Json | undefined): value is string => typeof value === 'string' && /^https?:\/\//i.test(value)

/** Ids are numbers, and empty where the picture was never in a library. Other ids name other things. */
const isMediumId = (value: Json | undefined) =>
  value === null || typeof value === 'number' || (typeof value === 'string' && /^\d*$/.test(value))

/** `{ "url": "https://…", "id": 12 }` */
function plainPair({ url, id }: Members, replace: (address: string) => Replacement | undefined): Members | undefined {
  if (!isAddress(url) || !isMediumId(id)) return undefined
  const replacement = replace(url)
  return replacement && { url: replacement.url, id: replacement.id }
}

/**
 * `{ "$$type": "image-src", "value": { "id": …, "url": { "$$type": "url", "value": "https://…" } } }`: of the two only one
 * is set, the id where the picture is in the library.
 */
function taggedPair(members: Members, replace: (address: string) => Replacement | undefined): Members | undefined {
  const { $$type: type, value } = members
  if (type !== 'image-src' || !isMembers(value)) return undefined
  const url = isMembers(value['url']) ? value['url']['value'] : undefined
  if (!isAddress(url)) return undefined
  const replacement = replace(url)
  return replacement && { value: { ...value, id: { $$type: 'image-attachment-id', value: replacement.id }, url: null } }
}
