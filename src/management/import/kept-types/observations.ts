/** Collects from the items of a source as much about their types as a declaration needs, in bounded memory. */

import type { Json } from '../../../contract/storage.ts'
import type { Args } from '../../../core/declare/args.ts'
import type { SiteTerm } from '../../transfer/document.ts'
import type { ImportedPost } from '../entries/posts.ts'
import type { FileRecord } from '../reader.ts'

/** The kind of all values of a meta key. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'texts' | 'list' | 'object' | 'any'

export interface ObservedType {
  readonly name: string
  readonly supports: ReadonlySet<string>
  readonly taxonomies: ReadonlySet<string>
  readonly fields: ReadonlyMap<string, FieldKind>
  /** Ids in the source of the first parents: whether these are records of the same type is known at the end. */
  readonly parents: readonly number[]
  /** The first part of the old addresses, `projects` of `/projects/alpha/`; empty: there are none. */
  readonly base: string
  /** Whether visitors had pages of its records. */
  readonly isViewable: boolean
}

export interface ObservedTaxonomy {
  readonly name: string
  readonly isHierarchical: boolean
  readonly fields: ReadonlyMap<string, FieldKind>
  /** The types whose records have its terms. */
  readonly uses: ReadonlySet<string>
}

const maxFields = 60
const maxParents = 50
const fieldForm = /^[\p{L}\p{N}][\p{L}\p{N}_ .:-]{0,63}$/u

class TypeNotes implements ObservedType {
  readonly name: string
  readonly supports = new Set<string>()
  readonly taxonomies = new Set<string>()
  readonly fields = new Map<string, FieldKind>()
  readonly parents: number[] = []
  base = ''
  isViewable = false
  constructor(name: string) {
    this.name = name
  }
}

class TaxonomyNotes implements ObservedTaxonomy {
  readonly name: string
  isHierarchical = false
  readonly fields = new Map<string, FieldKind>()
  readonly uses = new Set<string>()
  constructor(name: string) {
    this.name = name
  }
}

/** The number of types and taxonomies is bounded by its caller. */
export class Observations {
  readonly #types = new Map<string, TypeNotes>()
  readonly #taxonomies = new Map<string, TaxonomyNotes>()
  readonly #undeclared = new Map<string, Map<string, FieldKind>>()

  get types(): readonly ObservedType[] {
    return [...this.#types.values()]
  }

  get taxonomies(): readonly ObservedTaxonomy[] {
    return [...this.#taxonomies.values()]
  }

  /** The fields of records that every site has, by what `metaFields` calls these records: those that the profile does not declare. */
  get undeclared(): ReadonlyMap<string, ReadonlyMap<string, FieldKind>> {
    return this.#undeclared
  }

  addUndeclared(kind: string, meta: { readonly [key: string]: Json } = {}, declared: Args): void {
    const others = Object.entries(meta).filter(([key]) => !Object.hasOwn(declared, key))
    if (others.length === 0) return
    const fields = this.#undeclared.get(kind) ?? new Map<string, FieldKind>()
    addFields(fields, Object.fromEntries(others))
    if (fields.size > 0) this.#undeclared.set(kind, fields)
  }

  addPost(
    { type, entry, comments }: ImportedPost,
    { fields: elements }: FileRecord,
    taxonomies: readonly string[],
  ): void {
    const notes = found(this.#types, type, TypeNotes)
    const has: { readonly [support: string]: boolean } = {
      editor: entry.content !== '',
      author: Boolean(entry.author),
      thumbnail: Boolean(entry.featured_media),
      comments: comments.length > 0 || entry.comment_status === 'open',
      excerpt: (entry.excerpt ?? '') !== '',
      'page-attributes': (entry.menu_order ?? 0) !== 0,
    }
    for (const [support, isThere] of Object.entries(has)) if (isThere) notes.supports.add(support)
    for (const taxonomy of taxonomies) notes.taxonomies.add(taxonomy)
    if (entry.parent && notes.parents.length < maxParents) notes.parents.push(Number(entry.parent) || 0)
    addFields(notes.fields, entry.meta ?? {})
    const address = addressOf(elements['link'] ?? '', type)
    notes.isViewable ||= address.isOfPage
    notes.base ||= address.base
  }

  addTerm(taxonomy: string, { parent, meta = {} }: SiteTerm): void {
    const notes = found(this.#taxonomies, taxonomy, TaxonomyNotes)
    notes.isHierarchical ||= Boolean(parent)
    addFields(notes.fields, meta)
  }

  /** The taxonomy of a term that an item names. */
  addUse(taxonomy: string, type: string): void {
    found(this.#taxonomies, taxonomy, TaxonomyNotes).uses.add(type)
  }
}

function found<N>(all: Map<string, N>, name: string, Notes: new (name: string) => N): N {
  const known = all.get(name)
  if (known) return known
  const notes = new Notes(name)
  all.set(name, notes)
  return notes
}

/** Keys with `_` before them are notes of programs. */
function addFields(fields: Map<string, FieldKind>, meta: { readonly [key: string]: Json }): void {
  for (const [key, value] of Object.entries(meta)) {
    if (!fieldForm.test(key) || key === 'footnotes') continue
    const [before, kind] = [fields.get(key), kindOf(value)]
    if (before === undefined && fields.size >= maxFields) continue
    fields.set(key, before === undefined || before === kind ? kind : joined(before, kind))
  }
}

const joined = (one: FieldKind, other: FieldKind): FieldKind =>
  [one, other].every((kind) => kind === 'texts' || kind === 'list') ? 'list' : 'any'

function kindOf(value: Json): FieldKind {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean'
  if (!Array.isArray(value)) return 'object'
  return value.every((one) => typeof one === 'string') ? 'texts' : 'list'
}

/**
 * The address of a record without a page names the type and the number: `?post_type=message&p=5`. One with a page has a path, or the
 * type with the slug: `?project=alpha`.
 */
function addressOf(link: string, type: string): { readonly isOfPage: boolean; readonly base: string } {
  if (!URL.canParse(link)) return { isOfPage: false, base: '' }
  const { pathname, searchParams } = new URL(link)
  if (searchParams.size > 0) return { isOfPage: searchParams.has(type), base: '' }
  const steps = pathname.split('/').filter((step) => step !== '')
  const base = steps.at(-2) ?? ''
  return { isOfPage: steps.length > 1, base: steps.length === 2 && /^[a-z][a-z0-9-]{1,39}$/.test(base) ? base : '' }
}
