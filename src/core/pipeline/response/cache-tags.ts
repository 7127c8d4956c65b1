/** Names the tags of an answer in a header, for caches in front of the site. */
import type { Incoming } from '../../declare/request.ts'
import { isNoStore, type ResponseHeaders, Result } from '../../declare/result.ts'
import type { ListNames } from '../../tags/known-lists.ts'
import type { Sources } from '../../tags/list-reads.ts'
import type { ReadTags } from '../../tags/read-tags.ts'
import { wholeRowTag } from '../../tags/row-tags.ts'
import { allAnswers, longList, optionTag } from '../../tags/tag-names.ts'

/** How answers to visitors name what they are made from. */
export interface CacheTagOptions {
  /** The name of the header. Default: `Cache-Tag`. */
  readonly header?: string
  /**
   * `Cache-Control` of answers whose tags are complete, for a shared cache that ends them by `tags.changed`. Default: none, as without
   * tags.
   */
  readonly cacheControl?: string
}

/** The name of the header; undefined where the host asks for none. */
export const tagHeaderOf = (options: CacheTagOptions | undefined): string | undefined =>
  options && (options.header ?? 'Cache-Tag')

/** Servers refuse longer headers, so more tags are not listed. */
const maxCharacters = 7000

export const visibleTags = {
  /** Every response links the index of the API at the address of the site. */
  ofEach: [optionTag('url'), optionTag('home')],
}

/**
 * Returns the tags as a header lists them. Too long a list becomes a shorter one that more changes touch: first without the keys of meta,
 * then with one tag for each row. One that is longer still, or not complete, becomes a tag that each change touches.
 */
export function tagList({ tags, isComplete }: Pick<ReadTags, 'tags' | 'isComplete'>): string {
  const lists = isComplete ? [() => tags, () => shortened(tags, ofWholeMeta), () => shortened(tags, ofWholeRow)] : []
  for (const listOf of lists) {
    const list = listOf()
    if (lengthOf(list) <= maxCharacters) return [allAnswers, ...list].sort().join()
  }
  return `${allAnswers},${longList}`
}

function lengthOf(list: ReadonlySet<string>): number {
  let length = allAnswers.length + list.size
  for (const tag of list) length += tag.length
  return length
}

function shortened(tags: ReadonlySet<string>, shorten: (tag: string) => string): ReadonlySet<string> {
  const list = new Set<string>()
  for (const tag of tags) list.add(shorten(tag))
  return list
}

const ofWholeMeta = (tag: string): string => tag.replace(/^((?:post|term|user):\d+)\..*$/, '$1.*')
const ofWholeRow = (tag: string): string => wholeRowTag(tag) ?? tag

/** Returns the headers with the tags of these sources; undefined while a list of them has no name. */
export type TagRenamer = (
  headers: ResponseHeaders,
  sources: Sources,
  names: ListNames | undefined,
) => ResponseHeaders | undefined

export function createTagRenamer(options: CacheTagOptions | undefined): TagRenamer | undefined {
  const header = tagHeaderOf(options)
  if (header === undefined) return undefined
  return (headers, { tags, lists }, names) => {
    if (!names || headers[header] === undefined) return undefined
    // A list without a name is asked for once more here.
    const all = new Set([...tags, ...lists.flatMap((list) => names.tagsOf(list))])
    if (!lists.every((list) => names.knows(list))) return undefined
    return { ...headers, [header]: tagList({ tags: all, isComplete: true }) }
  }
}

type TagWriter = (result: Result, reading: ReadTags, incoming: Incoming) => Result

/** The result itself where the host asks for no header, or the result is for its reader alone. */
export function createTagWriter(options: CacheTagOptions | undefined): TagWriter {
  const header = tagHeaderOf(options)
  if (header === undefined) return (result) => result
  const cacheControl = options?.cacheControl
  return (result, reading, incoming) => {
    const { data, status, headers, keeps } = result
    if ((status !== 200 && status !== 304) || isNoStore(incoming) || headers['Cache-Control'] !== undefined)
      return result
    const shared: ResponseHeaders =
      cacheControl !== undefined && reading.isComplete ? { 'Cache-Control': cacheControl } : {}
    return new Result(data, status, { ...headers, [header]: tagList(reading), ...shared }, keeps)
  }
}
