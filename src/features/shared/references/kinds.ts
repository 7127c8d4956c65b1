/**
 * The one table of what names rows of the site: members of elements and of blocks, attributes of shortcodes and of tags. Add a kind of
 * reference here; addresses are in site/addresses/row-parameters.ts, which the import of links reads too.
 */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Members, RowKind } from './mapping.ts'

// ---------------------------------------------------------------- members of elements, and of blocks of all kinds

/** Lists have a prefix of their widget: `posts_`, `post_query_`. */
const members: readonly (readonly [RowKind, RegExp])[] = [
  // A popup is named by a tag, a form or a button.
  [
    'post',
    /^(?:template_id|templateID|component_id|post_id|attachment_id)$|(?:^|_)(?:posts|exclude|fallback)_ids$|(?:^|_)popup(?:_id)?$/,
  ],
  [
    'post',
    /^(?:media|(?:background)?[iI]mage|img|attachment|video|audio|poster|logo|post|page|product|template)I[dD]$/,
  ],
  ['term', /^(?:term_id|taxonomy_id|menu|nav_menu|categoryId)$|(?:^|_)(?:include|exclude)_term_ids$/],
  ['user', /^(?:author_id|authorId|userId)$|(?:^|_)(?:include|exclude)_authors$/],
]
/** The kinds by name: elements have few names, in each of their settings. Files may have any, so there is a bound. */
const known = new Map<string, RowKind | undefined>()
const maxKnown = 2000

function kindOfName(name: string): RowKind | undefined {
  if (known.has(name)) return known.get(name)
  const kind = members.find(([, pattern]) => pattern.test(name))?.[0]
  if (known.size < maxKnown) known.set(name, kind)
  return kind
}

/** Values of the current generation. */
const taggedPosts: ReadonlySet<unknown> = new Set(['image-attachment-id', 'video-attachment-id', 'svg-attachment-id'])

export function kindOfMember(owner: Members, name: string, isQuery: boolean): RowKind | undefined {
  // A picture, or what the current generation links to.
  if (name === 'id') return isQuery || Object.hasOwn(owner, 'url') ? 'post' : undefined
  if (name === 'value') return taggedPosts.has(owner['$$type']) ? 'post' : undefined
  return kindOfName(name)
}

/** The members of conditions that hold ids: `[{ "id": 12 }]`, a list of ids, or one. */
export const conditionMembers: { readonly [name: string]: RowKind } = lookupTable({
  ...{ categories: 'term', tags: 'term' },
  ...{ authors: 'user', author: 'user' },
  ...{ parents: 'post', parent: 'post', pages: 'post' },
})

// ---------------------------------------------------------------- attributes of blocks

/** A member holds ids of rows in any depth, or members that do. */
export type Holder = RowKind | ((owner: Members) => RowKind | undefined) | { readonly [member: string]: Holder }
export type BlockMembers = { readonly [member: string]: Holder }

const ofMedium = { id: 'post' } as const
const terms: ReadonlySet<unknown> = new Set(['category', 'tag', 'post_tag', 'taxonomy'])

/** A link of a navigation names the kind of its row. */
const ofLink: BlockMembers = {
  id: ({ kind, type }) => (terms.has(kind) || (kind === undefined && terms.has(type)) ? 'term' : 'post'),
}

const ofQuery: Holder = {
  ...{ author: 'user', exclude: 'post', parents: 'post' },
  ...{ categoryIds: 'term', tagIds: 'term', taxQuery: 'term' },
}

/** Lists members by the name of their block, without the prefix of the built-in ones. */
export const blockMembers: { readonly [block: string]: BlockMembers } = lookupTable({
  ...{ image: ofMedium, cover: ofMedium, audio: ofMedium, video: ofMedium, file: ofMedium },
  ...{ gallery: { ids: 'post' }, block: { ref: 'post' } },
  ...{ navigation: { ref: 'post', navigationMenuId: 'post' } },
  ...{ 'navigation-link': ofLink, 'navigation-submenu': ofLink },
  ...{ 'page-list': { parentPageID: 'post' }, 'page-list-item': { id: 'post' } },
  ...{ 'latest-posts': { categories: 'term', selectedAuthor: 'user' } },
  ...{ query: { query: ofQuery }, 'terms-query': { termQuery: { include: 'term', exclude: 'term', parent: 'term' } } },
})

// ---------------------------------------------------------------- shortcodes

const ofMedia = { ids: 'post', include: 'post', exclude: 'post', id: 'post' } as const

/** The attributes that hold ids, by name of the shortcode. */
const shortcodes: { readonly [name: string]: { readonly [attribute: string]: RowKind } } = lookupTable({
  ...{ gallery: ofMedia, playlist: ofMedia, caption: { id: 'post' } },
})

/**
 * Templates are found in both words: a file of another site, and a site with a names preset, write other ones. Shortcodes of add-ons
 * stay: what they number is not stored here.
 */
export const shortcodeAttributes = (name: string): { readonly [attribute: string]: RowKind } | undefined =>
  /^[a-z]+-template$/.test(name) ? { id: 'post' } : Object.hasOwn(shortcodes, name) ? shortcodes[name] : undefined

/** A dynamic tag has its settings as JSON in an attribute. */
export const isTagShortcode = (name: string): boolean => /^[a-z]+-tag$/.test(name)

// ---------------------------------------------------------------- tags

/** These precede an id in a tag: ends of classes, the id of a figure and that of its text, attributes. */
export const tagMarks = `-image-|-att-|caption-attachment-|attachment_|data-(?:attachment-|image-|media-)?id=["']?`
