/**
 * The names of cache tags. A tag is a text without spaces and commas, so that a header can list several. Values that may be any text,
 * such as slugs, are digested: a tag tells ids and declared names, never what somebody wrote.
 */
import type { MetaOwner } from '../../contract/storage.ts'

/** All options. */
export const allOptions = 'options'
/** The settings as a whole: their digest is part of entity tags. */
export const allSettings = 'settings'
/** The users as a list. */
export const userList = 'users'
/** The tree of the terms. */
export const termTree = 'terms:tree'
/** Means every status of a type, or every taxonomy. */
export const any = '*'
/** Each answer has it: it is touched where anything may have changed. */
export const allAnswers = 'all'
/** Another list is known. */
export const allLists = 'lists'
/** Each change touches it: an answer has it in place of tags that are too many. */
export const longList = 'site'

/** Whether there is such a row. */
export const rowTag = (store: MetaOwner, id: number): string => `${store}:${id}`
/** One column of a row, or any of them. */
export const columnTag = (store: MetaOwner, id: number, column: string): string => `${store}:${id}/${column}`
export const anyColumn = 'all'
/** The columns of a post that a list tells without its row. */
export const headColumns = 'head'
/** The terms of a post. */
export const assignedTag = (post: number): string => `post:${post}/terms`
/** Names one key in the meta of a row; `any` names all. */
export const metaTag = (owner: MetaOwner, id: number, key: string): string => `${owner}:${id}.${plain(key)}`
/** Names one key in the meta of all rows of a store. */
export const metaKeyTag = (owner: MetaOwner, key: string): string => `meta:${owner}.${plain(key)}`
/** A list that is known in the storage. */
export const listTag = (id: number): string => `list:${id}`
export const optionTag = (name: string): string => `option:${plain(name)}`

/** Which posts a type and a status have, or those of them with one author, parent, term or slug. */
export const postsTag = (type: string, status: string, part?: string): string =>
  `posts:${plain(type)}:${plain(status)}${part === undefined ? '' : `:${part}`}`
/** Which terms a taxonomy has, or those of them below one parent or with one slug. */
export const termsTag = (taxonomy: string, part?: string): string =>
  `terms:${plain(taxonomy)}${part === undefined ? '' : `:${part}`}`
/** The records of a collection, or those with one value of each of these fields. */
export const recordsTag = (collection: string, part?: string): string =>
  `records:${plain(collection)}${part === undefined ? '' : `:${part}`}`

/** A query that names more depends on the whole list. */
export const maxParts = 100
export const parentPart = (id: number): string => `parent:${id}`
export const slugPart = (slug: string): string => `slug:${digest(slug)}`
/** Which authors have any of the posts, or whether one author has. */
export const authorsPart = (id?: number): string => (id === undefined ? 'authors' : `authors:${id}`)

/** Which terms of a taxonomy any of the posts have. */
export const usedPart = (taxonomy: string): string => `used:${plain(taxonomy)}`

/** A column by which a list is ordered or filtered. */
export const byColumn = (column: string): string => `by:${column}`

/** A name as it is where it is a plain one; anything else by its digest. */
export const plain = (name: string): string => (/^[\w*-]{1,60}$/.test(name) ? name : digest(name))

/** FNV-1a over 2 × 32 bits: tags of two texts that are equal by chance cost a needless invalidation, nothing else. */
export function digest(text: string): string {
  let [low, high] = [0x811c9dc5, 0x9dc5811c]
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000199)
  }
  return `~${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`
}
