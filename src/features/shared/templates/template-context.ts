/** Selects the template for a location, by the display conditions that match the template context. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json, Post, Storage, Term } from '../../../contract/storage.ts'
import type { OverlayLocation, RenderLocation, TemplateContext } from '../../../render/builder/pass/render-context.ts'
import { templateType } from '../../../render/builder/records/keys.ts'
import type { Settings } from '../../../site/settings.ts'
import { templateTypeKey } from '../elements.ts'
import { type Condition, isIncluded, parseCondition, selectTemplate } from './template-conditions.ts'

const locations: { readonly [type: string]: RenderLocation } = lookupTable({
  header: 'header',
  footer: 'footer',
  single: 'single',
  'single-post': 'single',
  'single-page': 'single',
  archive: 'archive',
  'search-results': 'archive',
  'error-404': 'single',
  'plus-header': 'header',
  'plus-footer': 'footer',
})

/** A page shows every template of these types whose conditions include it. */
const overlayTypes: readonly OverlayLocation[] = ['popup', 'floating-buttons']

/** Returns the location of templates of a type; undefined when they have none. */
export const locationOf = (type: string): RenderLocation | undefined =>
  Object.hasOwn(locations, type) ? locations[type] : undefined

/** Returns where overlays of a type are shown; undefined for other types. */
export const overlayLocationOf = (type: string): OverlayLocation | undefined =>
  overlayTypes.find((location) => location === type)

interface TemplateStore {
  readonly storage: Storage
  readonly site: Settings
}

/** Returns the published template that wins a location of a page. */
export async function templateAt(
  location: RenderLocation,
  page: TemplateContext,
  { storage, site }: TemplateStore,
): Promise<number | undefined> {
  const matches = await conditionTest(storage, site, page)
  if (!matches) return undefined
  const candidates = await publishedTemplates(storage)
  return selectTemplate(
    candidates.filter(({ type }) => locationOf(type) === location),
    matches,
  )
}

interface Overlay {
  readonly id: number
  readonly location: OverlayLocation
}

/** A page with more popups and floating buttons shows the first ones. */
const maxOverlays = 20

/** Returns the overlays of a page by their ids: those whose conditions include it, and the popups that are named in `opened`. */
export async function overlaysAt(
  page: TemplateContext,
  { storage, site }: TemplateStore,
  opened: readonly number[] = [],
): Promise<readonly Overlay[]> {
  const candidates = (await publishedTemplates(storage)).flatMap(({ type, ...template }) => {
    const location = overlayLocationOf(type)
    return location === undefined ? [] : [{ ...template, location }]
  })
  if (candidates.length === 0) return []
  const matches = await conditionTest(storage, site, page)
  if (!matches) return []
  return candidates
    .filter(
      ({ id, location, conditions }) =>
        (location === 'popup' && opened.includes(id)) || isIncluded(conditions.filter(matches)),
    )
    .slice(0, maxOverlays)
    .map(({ id, location }) => ({ id, location }))
}

interface PublishedTemplate {
  readonly id: number
  readonly type: string
  readonly conditions: readonly Condition[]
}

async function publishedTemplates(storage: Storage): Promise<PublishedTemplate[]> {
  const { idsPage } = await storage.posts.query({
    types: [templateType],
    statuses: [{ status: 'publish' }],
    order: { by: 'id', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const ids = idsPage.map(({ id }) => id)
  const entries = await storage.meta.read('post', ids, [templateTypeKey, conditionsKey])
  const metaOf = (wanted: string) =>
    new Map(entries.filter(({ key }) => key === wanted).map(({ id, value }) => [id, value]))
  const [types, paths] = [metaOf(templateTypeKey), metaOf(conditionsKey)]
  return ids.map((id) => ({
    id,
    type: String(types.get(id) ?? ''),
    conditions: pathsOf(paths.get(id)).map(parseCondition),
  }))
}

/** A list of condition paths. */
export const conditionsKey = '_builder_conditions'

export const pathsOf = (stored: Json | undefined): string[] =>
  Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []

interface ConditionContext {
  readonly page: TemplateContext
  readonly post?: Post
  /** Ids of the ancestors of the post, the nearest first. */
  readonly ancestors: readonly number[]
  /** Reads the terms of the post, or the term of the archive. */
  readonly terms: readonly Term[]
  /** Ids of the ancestors of each term, the nearest first. */
  readonly termAncestors: ReadonlyMap<number, readonly number[]>
  readonly isFront: boolean
}

/** Returns a predicate for conditions; undefined for an unknown post or term. */
async function conditionTest(
  storage: Storage,
  settings: Settings,
  page: TemplateContext,
): Promise<((condition: Condition) => boolean) | undefined> {
  const context = await readConditionContext(storage, settings, page)
  return context && ((condition) => matches(condition, context))
}

async function readConditionContext(
  storage: Storage,
  settings: Settings,
  page: TemplateContext,
): Promise<ConditionContext | undefined> {
  const empty = { page, ancestors: [], terms: [], termAncestors: new Map(), isFront: false }
  if ('post' in page) {
    const [post] = await storage.posts.read([page.post])
    if (!post) return undefined
    const assigned = await storage.terms.of([post.id])
    const terms = await readTerms(
      storage,
      assigned.map(({ term }) => term),
    )
    return {
      page,
      post,
      terms,
      termAncestors: await readTermAncestors(storage, terms),
      ancestors: await readAncestors(storage, post),
      isFront: settings.showOnFront === 'page' && settings.pageOnFront === post.id,
    }
  }
  if ('archive' in page && page.archive === 'term') {
    const terms = await readTerms(storage, [page.term])
    if (terms.length === 0) return undefined
    return { ...empty, terms, termAncestors: await readTermAncestors(storage, terms) }
  }
  return empty
}

async function readTerms(storage: Storage, ids: readonly number[]): Promise<Term[]> {
  const order = { by: 'id', descending: false } as const
  return (await storage.terms.query({ ids, order, offset: 0, limit: ids.length })).rows
}

/** Reads one level at a time and stops at a cycle. */
async function readTermAncestors(
  storage: Storage,
  terms: readonly Term[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const byId = new Map(terms.map((term) => [term.id, term]))
  for (let level = terms; level.length > 0; ) {
    const parents = [...new Set(level.map(({ parent }) => parent))].filter((id) => id > 0 && !byId.has(id))
    level = await readTerms(storage, parents)
    for (const term of level) byId.set(term.id, term)
  }
  const chainOf = (id: number, chain: readonly number[]): readonly number[] => {
    const parent = byId.get(id)?.parent ?? 0
    return parent === 0 || chain.includes(parent) ? chain : chainOf(parent, [...chain, parent])
  }
  return new Map(terms.map(({ id }) => [id, chainOf(id, [])]))
}

async function readAncestors(storage: Storage, post: Post): Promise<readonly number[]> {
  const ids: number[] = []
  for (let parent = post.parent; parent > 0 && parent !== post.id && !ids.includes(parent); ) {
    ids.push(parent)
    const [next] = await storage.posts.read([parent])
    parent = next?.parent ?? 0
  }
  return ids
}

// ---------------------------------------------------------------- matching

function matches({ name, subName, subId }: Condition, context: ConditionContext): boolean {
  if (name === 'general') return true
  const isArchive = 'archive' in context.page
  if (name === 'archive' ? !isArchive : name !== 'singular' || isArchive) return false
  if (subName === '') return true
  const id = Number(subId || 0)
  return isArchive ? matchesArchive(subName, id, context) : matchesPost(subName, id, context)
}

function matchesArchive(name: string, id: number, { page, terms, termAncestors }: ConditionContext): boolean {
  if (!('archive' in page)) return false
  const [term] = terms
  const parents = term ? (termAncestors.get(term.id) ?? []) : []
  switch (name) {
    case 'author':
      return page.archive === 'author' && (id === 0 || page.user === id)
    case 'date':
    case 'search':
      return page.archive === name
    case 'post_archive':
      return page.archive === 'posts' || page.archive === 'term'
    case 'child_of_category':
      return term?.taxonomy === 'category' && (id === 0 ? parents.length > 0 : parents[0] === id)
    case 'any_child_of_category':
      return term?.taxonomy === 'category' && (id === 0 ? parents.length > 0 : parents.includes(id))
    default:
      return term?.taxonomy === name && (id === 0 || term.id === id)
  }
}

const authorCondition = /^(post|page|attachment)_by_author$/

function matchesPost(
  name: string,
  id: number,
  { post, page, ancestors, terms, termAncestors, isFront }: ConditionContext,
): boolean {
  if (name === 'not_found404') return 'notFound' in page
  if (!post) return false
  const ofType = authorCondition.exec(name)?.[1]
  if (ofType !== undefined) return post.type === ofType && (id === 0 || post.author === id)
  const isIn = (taxonomy: string) => terms.some((term) => term.taxonomy === taxonomy && (id === 0 || term.id === id))
  switch (name) {
    case 'front_page':
      return isFront
    case 'in_category':
      return isIn('category')
    case 'in_post_tag':
      return isIn('post_tag')
    case 'in_category_children':
      return terms.some((term) => {
        const parents = termAncestors.get(term.id) ?? []
        return term.taxonomy === 'category' && (id === 0 ? parents.length > 0 : parents.includes(id))
      })
    case 'child_of':
      return id === 0 ? post.parent > 0 : post.parent === id
    case 'any_child_of':
      return id === 0 ? post.parent > 0 : ancestors.includes(id)
    case 'by_author':
      return id === 0 || post.author === id
    default:
      return post.type === name && (id === 0 || post.id === id)
  }
}
