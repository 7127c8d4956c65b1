/** Imports categories and tags: existing ones are found by slug, others are created. Parents may follow their children. */

import type { Json, Storage } from '../../contract/storage.ts'
import type { Names } from '../../names/word-map.ts'
import { categories, tags } from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import { termDescription, termName } from '../../site/term-name.ts'
import { inOneTransaction, type ManagementContext, taxonomiesOf, windowsOf } from '../context.ts'
import { type RecordCheck, recordCheck } from './checks/record-check.ts'
import type { TermName } from './map.ts'
import { plainMeta } from './map-meta.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface TermImport {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Creates the terms that items name and the file does not declare. */
  ensure(named: readonly TermName[]): Promise<void>
  idsOf(named: readonly TermName[], taxonomy: string): number[]
  check(records: readonly FileRecord[]): Promise<RecordCheck[]>
  /** By the file's id of a declared term. */
  idOfNumber(number: number): number | undefined
}

interface DeclaredTerm extends TermName {
  readonly description: string
  /** A slug; empty: none. */
  readonly parent: string
  readonly meta: { readonly [key: string]: Json }
  readonly line: number
  /** The file's id; 0: none. */
  readonly number: number
}

const keyOf = ({ taxonomy, slug }: Pick<TermName, 'taxonomy' | 'slug'>) => `${taxonomy} ${slug}`

export function createTermImport(
  context: ManagementContext,
  report: ReportBuilder,
  { update, names }: { readonly update: boolean; readonly names: Names },
): TermImport {
  const ids = new Map<string, number>()
  const keys = new Map<number, string>()
  const taxonomies = taxonomiesOf(context)

  /** In one transaction, so that no child is stored without its parent. */
  const write = async (terms: readonly DeclaredTerm[]) => {
    const written = await inOneTransaction(context.storage, async (transaction) => {
      const idByKey = await findTerms(transaction, terms, taxonomies)
      const fresh = firstOfEach(terms).filter((term) => !idByKey.has(keyOf(term)))
      for (const window of windowsOf(fresh)) {
        const rows = window.map(({ taxonomy, slug, name, description }) => ({
          taxonomy,
          slug,
          name,
          description,
          parent: 0,
        }))
        const inserted = await transaction.terms.insert(rows)
        window.forEach((term, index) => void idByKey.set(keyOf(term), inserted[index] ?? 0))
      }
      const existing = update ? firstOfEach(terms).filter((term) => !fresh.includes(term)) : []
      for (const { name, description, ...term } of existing) {
        await transaction.terms.update([{ id: idByKey.get(keyOf(term)) ?? 0, changes: { name, description } }])
      }
      await writeMeta(transaction, [...fresh, ...existing], idByKey)
      await setParents(transaction, [...fresh, ...existing], idByKey)
      return { idByKey, fresh: new Set(fresh) }
    })
    for (const [key, id] of written.idByKey) ids.set(key, id)
    for (const term of terms) {
      if (term.number > 0) keys.set(term.number, keyOf(term))
      const how = written.fresh.has(term) ? 'created' : update ? 'updated' : 'existing'
      report.count(countOf(term.taxonomy), how)
    }
  }

  const setParents = async (
    transaction: Storage,
    terms: readonly DeclaredTerm[],
    idByKey: ReadonlyMap<string, number>,
  ): Promise<void> => {
    for (const { parent, line, ...term } of terms) {
      if (parent === '') continue
      const id = idByKey.get(keyOf(term)) ?? 0
      const parentId = idByKey.get(keyOf({ ...term, slug: parent })) ?? ids.get(keyOf({ ...term, slug: parent }))
      const example = { line, what: term.name }
      if (parentId === undefined) report.add('missing-post', 'parent of a category', example)
      else if (parentId === id || (await transaction.terms.below([id])).includes(parentId)) {
        report.add('parent-circle', 'category', example)
      } else await transaction.terms.update([{ id, changes: { parent: parentId } }])
    }
  }

  return {
    async declare(records) {
      const terms = records.flatMap((record) => toTerm(record, { report, names, taxonomies }))
      if (terms.length > 0) await write(terms)
    },
    async ensure(named) {
      const missing = new Map(named.filter((term) => !ids.has(keyOf(term))).map((term) => [keyOf(term), term]))
      if (missing.size === 0) return
      const nameOf = ({ name, slug }: TermName) => termName(name) || slug
      await write(
        [...missing.values()].map((term) => ({
          ...term,
          name: nameOf(term),
          description: '',
          parent: '',
          meta: {},
          line: 0,
          number: 0,
        })),
      )
    },
    idsOf: (named, taxonomy) => [
      ...new Set(named.filter((term) => term.taxonomy === taxonomy).flatMap((term) => ids.get(keyOf(term)) ?? [])),
    ],
    idOfNumber: (number) => ids.get(keys.get(number) ?? ''),
    async check(records) {
      // Reported when they were imported.
      const unheard = { ...report, add: () => undefined }
      const declared = records.flatMap((record) => toTerm(record, { report: unheard, names, taxonomies }))
      const order = { by: 'id', descending: false } as const
      const idOf = (term: Pick<TermName, 'taxonomy' | 'slug'>) => ids.get(keyOf(term)) ?? 0
      const query = { ids: declared.map(idOf), order, offset: 0, limit: Math.max(declared.length, 1) }
      const stored = new Map((await context.storage.terms.query(query)).rows.map((row) => [row.id, row]))
      return declared.map((term) => {
        const row = stored.get(idOf(term))
        const { taxonomy, slug, name, description, parent } = term
        const parentId = parent === '' ? 0 : idOf({ taxonomy, slug: parent })
        const here = row && [row.slug, row.name, row.description, row.parent]
        return recordCheck(countOf(taxonomy), term.number, [slug, name, description, parentId], here)
      })
    },
  }
}

async function writeMeta(
  transaction: Storage,
  terms: readonly DeclaredTerm[],
  idByKey: ReadonlyMap<string, number>,
): Promise<void> {
  const entries = terms.flatMap((term) =>
    Object.entries(term.meta).map(([key, value]) => ({ id: idByKey.get(keyOf(term)) ?? 0, key, value })),
  )
  if (entries.length > 0) await transaction.meta.write('term', entries)
}

/** The name under which the report counts the terms of a taxonomy. */
function countOf(taxonomy: string): string {
  if (taxonomy === categories) return 'categories'
  return taxonomy === tags ? 'tags' : taxonomy
}

/** Drops repeated terms. */
function firstOfEach(terms: readonly DeclaredTerm[]): DeclaredTerm[] {
  const first = new Map<string, DeclaredTerm>()
  for (const term of terms) if (!first.has(keyOf(term))) first.set(keyOf(term), term)
  return [...first.values()]
}

/** Each kind of record has its own element names for the same fields. */
interface TermContext {
  readonly report: ReportBuilder
  readonly names: Names
  readonly taxonomies: readonly string[]
}

function toTerm({ kind, fields, line, meta }: FileRecord, { report, names, taxonomies }: TermContext): DeclaredTerm[] {
  const field = (name: string) => (fields[`wp:${name}`] ?? '').trim()
  const fieldsOfKind = {
    category: { slug: field('category_nicename'), name: field('cat_name'), description: field('category_description') },
    tag: { slug: field('tag_slug'), name: field('tag_name'), description: field('tag_description') },
    term: { slug: field('term_slug'), name: field('term_name'), description: field('term_description') },
  }[kind as 'category' | 'tag' | 'term']
  const written = { category: categories, tag: tags, term: field('term_taxonomy') }[kind as 'category' | 'tag' | 'term']
  const taxonomy = names.toNeutral(written)
  const example = { line, what: fieldsOfKind.name }
  if (!taxonomies.includes(taxonomy)) {
    report.add('other-taxonomy', written, example)
    return []
  }
  const slug = toSlug(fieldsOfKind.slug) || toSlug(fieldsOfKind.name)
  if (slug === '') {
    report.add('term-unnamed', taxonomy, example)
    return []
  }
  const parent = toSlug(field(kind === 'category' ? 'category_parent' : 'term_parent'))
  const name = termName(fieldsOfKind.name) || slug
  const number = Number(field('term_id')) || 0
  const description = termDescription(fieldsOfKind.description)
  const read = plainMeta(meta, names, (problem, what) => report.add(problem, what, example))
  return [{ taxonomy, slug, name, description, parent, meta: read, line, number }]
}

async function findTerms(
  storage: Storage,
  terms: readonly TermName[],
  taxonomies: readonly string[],
): Promise<Map<string, number>> {
  const idByKey = new Map<string, number>()
  for (const taxonomy of taxonomies) {
    const slugs = [...new Set(terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => slug))]
    for (const window of windowsOf(slugs)) {
      const { rows } = await storage.terms.query({
        taxonomies: [taxonomy],
        slugs: window,
        offset: 0,
        limit: window.length,
        order: { by: 'id', descending: false },
      })
      for (const term of rows) idByKey.set(keyOf(term), term.id)
    }
  }
  return idByKey
}
