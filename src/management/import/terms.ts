/** Imports categories and tags: existing ones are found by slug, others are created. Parents may follow their children. */
import { categories, tags } from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import { termDescription, termName } from '../../site/term-name.ts'
import type { Storage } from '../../storage/contract.ts'
import { inOneTransaction, type ManagementContext, windowsOf } from '../context.ts'
import type { TermName } from './map.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface TermImport {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Creates the terms that items name and the file does not declare. */
  ensure(named: readonly TermName[]): Promise<void>
  idsOf(named: readonly TermName[], taxonomy: string): number[]
}

interface DeclaredTerm extends TermName {
  readonly description: string
  /** A slug; empty: none. */
  readonly parent: string
  readonly line: number
}

const keyOf = ({ taxonomy, slug }: Pick<TermName, 'taxonomy' | 'slug'>) => `${taxonomy} ${slug}`

export function createTermImport(
  context: ManagementContext,
  report: ReportBuilder,
  { update }: { update: boolean },
): TermImport {
  const ids = new Map<string, number>()

  /** In one transaction, so that no child is stored without its parent. */
  const write = async (terms: readonly DeclaredTerm[]) => {
    const written = await inOneTransaction(context.storage, async (transaction) => {
      const idByKey = await findTerms(transaction, terms)
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
      await setParents(transaction, [...fresh, ...existing], idByKey)
      return { idByKey, fresh: new Set(fresh) }
    })
    for (const [key, id] of written.idByKey) ids.set(key, id)
    for (const term of terms) {
      const how = written.fresh.has(term) ? 'created' : update ? 'updated' : 'existing'
      report.count(term.taxonomy === categories ? 'categories' : 'tags', how)
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
      const terms = records.flatMap((record) => toTerm(record, report))
      if (terms.length > 0) await write(terms)
    },
    async ensure(named) {
      const missing = new Map(named.filter((term) => !ids.has(keyOf(term))).map((term) => [keyOf(term), term]))
      if (missing.size === 0) return
      const nameOf = ({ name, slug }: TermName) => termName(name) || slug
      await write(
        [...missing.values()].map((term) => ({ ...term, name: nameOf(term), description: '', parent: '', line: 0 })),
      )
    },
    idsOf: (named, taxonomy) => [
      ...new Set(named.filter((term) => term.taxonomy === taxonomy).flatMap((term) => ids.get(keyOf(term)) ?? [])),
    ],
  }
}

/** Drops repeated terms. */
function firstOfEach(terms: readonly DeclaredTerm[]): DeclaredTerm[] {
  const first = new Map<string, DeclaredTerm>()
  for (const term of terms) if (!first.has(keyOf(term))) first.set(keyOf(term), term)
  return [...first.values()]
}

/** Each kind of record has its own element names for the same fields. */
function toTerm({ kind, fields, line }: FileRecord, report: ReportBuilder): DeclaredTerm[] {
  const field = (name: string) => (fields[`wp:${name}`] ?? '').trim()
  const fieldsOfKind = {
    category: { slug: field('category_nicename'), name: field('cat_name'), description: field('category_description') },
    tag: { slug: field('tag_slug'), name: field('tag_name'), description: field('tag_description') },
    term: { slug: field('term_slug'), name: field('term_name'), description: field('term_description') },
  }[kind as 'category' | 'tag' | 'term']
  const taxonomy = { category: categories, tag: tags, term: field('term_taxonomy') }[
    kind as 'category' | 'tag' | 'term'
  ]
  const example = { line, what: fieldsOfKind.name }
  if (taxonomy !== categories && taxonomy !== tags) {
    report.add('other-taxonomy', taxonomy, example)
    return []
  }
  const slug = toSlug(fieldsOfKind.slug) || toSlug(fieldsOfKind.name)
  if (slug === '') {
    report.add('term-unnamed', taxonomy, example)
    return []
  }
  const parent = toSlug(field(kind === 'category' ? 'category_parent' : 'term_parent'))
  const name = termName(fieldsOfKind.name) || slug
  return [{ taxonomy, slug, name, description: termDescription(fieldsOfKind.description), parent, line }]
}

async function findTerms(storage: Storage, terms: readonly TermName[]): Promise<Map<string, number>> {
  const idByKey = new Map<string, number>()
  for (const taxonomy of [categories, tags]) {
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
