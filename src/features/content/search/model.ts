/** The sources of the search: published records, terms, formats. */

import type { Post, PostOrder, PostQuery, Term } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { ReadContributions } from '../../../core/declare/contributions.ts'
import { renderOf } from '../../../render/index.ts'
import { addressesOf } from '../../../site/permalink.ts'
import { postFormats } from '../../../site/post-keys.ts'
import { parseSearch } from '../../../site/search-terms.ts'
import { termAddresses } from '../../../site/term-address.ts'
import { withReferences } from '../../../site/term-name.ts'
import { isSearchable, publicTypesOf, taxonomiesOf } from '../../shared/declared-types.ts'
import { searchedMetaOf } from '../../shared/own-fields.ts'
import type { ContentTaxonomy, PublicType } from '../content-types/model.ts'
import type { searchArgs } from './args.ts'

export type SearchContext = Context<ArgValues<ReturnType<typeof searchArgs>>>

/** A result before its links. */
export interface Found {
  readonly id: number | string
  readonly title: string
  readonly url: string
  readonly type: string
  readonly subtype?: string
  /** Its own route and its type, neutral: `/cms/v2/posts`, `types/post`; formats have neither. */
  readonly route?: string
  readonly about?: string
  readonly row?: Post | Term
}

interface FoundPage {
  readonly results: readonly Found[]
  readonly total: number
}

type Known = { readonly contributions: ReadContributions }

export const searchedTypes = (known: Known): readonly PublicType[] => publicTypesOf(known).filter(isSearchable)
export const searchedTaxonomies = (known: Known): readonly ContentTaxonomy[] =>
  taxonomiesOf(known).filter(({ isViewable = true }) => isViewable)

export function findAll(context: SearchContext): Promise<FoundPage> | FoundPage {
  const { type } = context.args
  if (type === 'term') return findTerms(context)
  return type === 'post' ? findRecords(context) : findFormats(context)
}

const pageOfArgs = ({ args }: SearchContext) => ({ offset: (args.page - 1) * args.per_page, limit: args.per_page })

function idsOf({ args }: SearchContext): { ids?: readonly number[]; notIds?: readonly number[] } {
  if (args.include.length > 0) return { ids: args.include.map(Math.abs) }
  return args.exclude.length > 0 ? { notIds: args.exclude.map(Math.abs) } : {}
}

// ---------------------------------------------------------------- records

/** Interface: without a known subtype, posts are searched. */
function typesOf({ args, app }: SearchContext): readonly PublicType[] {
  const types = searchedTypes(app)
  if (args.subtype.includes('any')) return types
  const wanted = types.filter(({ name }) => args.subtype.includes(name))
  return wanted.length > 0 ? wanted : types.filter(({ name }) => name === 'post')
}

async function findRecords(context: SearchContext): Promise<FoundPage> {
  const { storage, app } = context
  const types = typesOf(context)
  const page = pageOfArgs(context)
  const { idsPage, total: matches } = await storage.posts.query({ ...recordQuery(context, types), ...page })
  // Interface: beyond the last page nothing is counted.
  const total = page.offset >= matches ? 0 : matches
  const rows = await storage.posts.read(idsPage.map(({ id }) => id))
  const urls = await addressesByType(context, types, rows)
  const results = rows.map((row): Found => {
    // The cast: the query asks for these types.
    const { name, published } = types.find((type) => type.name === row.type) as PublicType
    return {
      ...{ id: row.id, title: renderOf(app).title(row.title), url: urls.get(row.id) ?? '' },
      ...{ type: 'post', subtype: name, row, route: `/cms/v2/${published.restBase}`, about: `types/${name}` },
    }
  })
  return { results, total }
}

function recordQuery(context: SearchContext, types: readonly PublicType[]): Omit<PostQuery, 'offset' | 'limit'> {
  const { args, user } = context
  const search = args.search ? parseSearch(args.search) : undefined
  const order: PostOrder = search
    ? { by: 'relevance', phrase: search.isSingle ? '' : search.phrase, words: search.every }
    : { by: 'date', descending: true }
  const names = types.map(({ name }) => name)
  const meta = searchedMetaOf(context.app, names)
  return {
    types: names,
    statuses: [{ status: 'publish' }],
    ...idsOf(context),
    ...(search && user.isVisitor ? { withPassword: false } : {}),
    ...(search
      ? {
          search: {
            every: search.every,
            none: search.none,
            columns: ['title', 'excerpt', 'content'],
            ...meta,
            exact: false,
          },
        }
      : {}),
    order,
    total: true,
  }
}

async function addressesByType(
  context: SearchContext,
  types: readonly PublicType[],
  rows: readonly Post[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const { name } of types) {
    const own = rows.filter((row) => row.type === name)
    const { isHierarchical } = types.find((type) => type.name === name)?.published ?? {}
    const urls = own.length === 0 ? [] : await addressesOf(own, context, isHierarchical ? name : undefined)
    own.forEach(({ id }, index) => void found.set(id, urls[index] ?? ''))
  }
  return found
}

// ---------------------------------------------------------------- terms

/** Interface: without a known subtype, the terms of every taxonomy are searched, formats too. */
async function findTerms(context: SearchContext): Promise<FoundPage> {
  const { args, app } = context
  const all = searchedTaxonomies(app)
  const named = all.filter(({ name }) => args.subtype.includes(name))
  const { results, total } = await findTermsOf(context, named.length > 0 ? named : all)
  if (named.length > 0 || args.subtype.includes('any') || args.include.length > 0) return { results, total }
  const formatTerms = await findFormatTerms(context)
  // Choice: the formats follow the terms of the other taxonomies.
  const { offset, limit } = pageOfArgs(context)
  const from = Math.max(0, offset - total)
  const added = formatTerms.slice(from, from + limit - results.length)
  return { results: [...results, ...added], total: total + formatTerms.length }
}

async function findTermsOf(context: SearchContext, taxonomies: readonly ContentTaxonomy[]): Promise<FoundPage> {
  const { args, storage } = context
  const { rows, total } = await storage.terms.query({
    taxonomies: taxonomies.map(({ name }) => name),
    ...idsOf(context),
    ...(args.search ? { search: { text: fold(withReferences(args.search)), fields: ['name', 'slug'] } } : {}),
    order: { by: 'name', descending: false },
    ...pageOfArgs(context),
    total: true,
  })
  const urls = await termAddresses(rows, context)
  const results = rows.map((row, index): Found => {
    const restBase = taxonomies.find(({ name }) => name === row.taxonomy)?.restBase ?? ''
    return {
      ...{ id: row.id, title: row.name, url: urls[index] ?? '', type: row.taxonomy, row },
      ...{ route: `/cms/v2/${restBase}`, about: `taxonomies/${row.taxonomy}` },
    }
  })
  return { results, total }
}

// ---------------------------------------------------------------- formats

/** No archive lists the posts of the usual format. */
const formats = postFormats.filter((format) => format !== 'standard')

function findFormats(context: SearchContext): FoundPage {
  const wanted = formats.filter((format) => format.includes(fold(context.args.search ?? '').trim()))
  const { offset, limit } = pageOfArgs(context)
  const found = wanted.slice(offset, offset + limit)
  return { results: found.map((format) => formatResult(context, format, 'post-format')), total: wanted.length }
}

function formatResult({ settings }: SearchContext, format: string, type: string): Found {
  const base = settings.permalink === '' ? `${settings.home}/?post_format=` : `${settings.home}/type/`
  const title = `${format.charAt(0).toUpperCase()}${format.slice(1)}`
  return { id: format, title, url: base + format + (settings.permalink === '' ? '' : '/'), type }
}

/** A format is a term where published posts have it; its slug begins with `post-format-`. */
async function findFormatTerms(context: SearchContext): Promise<readonly Found[]> {
  const { args, app, storage } = context
  const text = fold(args.search ?? '').trim()
  const wanted = formats.filter((format) => `post-format-${format}`.includes(text)).toSorted()
  const types = searchedTypes(app).map(({ name }) => name)
  const isUsed = async (format: (typeof formats)[number]) => {
    const query: PostQuery = {
      types,
      statuses: [{ status: 'publish' }],
      terms: { every: [{ formats: [format] }] },
      order: byDate,
      offset: 0,
      limit: 1,
    }
    return (await storage.posts.query(query)).idsPage.length > 0
  }
  const used = await Promise.all(wanted.map(isUsed))
  return wanted.filter((_, index) => used[index]).map((format) => formatResult(context, format, 'post_format'))
}

const byDate = { by: 'date', descending: true } as const
