/** Categories and tags: found by their slug, else made. Parents may stand behind their children. */
import { categories, tags } from '../../site/post-keys.ts'
import { toSlug } from '../../site/slug.ts'
import type { Storage } from '../../storage/contract.ts'
import { inOneTransaction, type ManagementContext, windowsOf } from '../context.ts'
import type { TermName } from './map.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface Terms {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Makes those that items name and nothing has declared. */
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
  parts: ManagementContext,
  report: ReportBuilder,
  { update }: { update: boolean },
): Terms {
  const ids = new Map<string, number>()

  /** All of them or none, so that no child is left without its parent. */
  const write = async (terms: readonly DeclaredTerm[]) => {
    const made = await inOneTransaction(parts.storage, async (inside) => {
      const found = await findTerms(inside, terms)
      const fresh = firstOfEach(terms).filter((term) => !found.has(keyOf(term)))
      for (const window of windowsOf(fresh)) {
        const rows = window.map(({ taxonomy, slug, name, description }) => ({
          ...{ taxonomy, slug, name, description, parent: 0 },
        }))
        const inserted = await inside.terms.insert(rows)
        window.forEach((term, index) => void found.set(keyOf(term), inserted[index] ?? 0))
      }
      const old = update ? firstOfEach(terms).filter((term) => !fresh.includes(term)) : []
      for (const { name, description, ...term } of old) {
        await inside.terms.update([{ id: found.get(keyOf(term)) ?? 0, changes: { name, description } }])
      }
      await setParents(inside, [...fresh, ...old], found)
      return { found, fresh: new Set(fresh) }
    })
    for (const [key, id] of made.found) ids.set(key, id)
    for (const term of terms) {
      const how = made.fresh.has(term) ? 'created' : update ? 'updated' : 'existing'
      report.count(term.taxonomy === categories ? 'categories' : 'tags', how)
    }
  }

  const setParents = async (
    inside: Storage,
    terms: readonly DeclaredTerm[],
    found: ReadonlyMap<string, number>,
  ): Promise<void> => {
    for (const { parent, line, ...term } of terms) {
      if (parent === '') continue
      const id = found.get(keyOf(term)) ?? 0
      const above = found.get(keyOf({ ...term, slug: parent })) ?? ids.get(keyOf({ ...term, slug: parent }))
      const example = { line, what: term.name }
      if (above === undefined) report.add('missing-post', 'parent of a category', example)
      else if (above === id || (await inside.terms.below([id])).includes(above)) {
        report.add('parent-circle', 'category', example)
      } else await inside.terms.update([{ id, changes: { parent: above } }])
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
      await write([...missing.values()].map((term) => ({ ...term, description: '', parent: '', line: 0 })))
    },
    idsOf: (named, taxonomy) => [
      ...new Set(named.filter((term) => term.taxonomy === taxonomy).flatMap((term) => ids.get(keyOf(term)) ?? [])),
    ],
  }
}

/** What stands there twice counts once. */
function firstOfEach(terms: readonly DeclaredTerm[]): DeclaredTerm[] {
  const first = new Map<string, DeclaredTerm>()
  for (const term of terms) if (!first.has(keyOf(term))) first.set(keyOf(term), term)
  return [...first.values()]
}

/** Each kind of record has its own names for the same parts. */
function toTerm({ kind, fields, line }: FileRecord, report: ReportBuilder): DeclaredTerm[] {
  const field = (name: string) => (fields[`wp:${name}`] ?? '').trim()
  const written = {
    category: { slug: field('category_nicename'), name: field('cat_name'), description: field('category_description') },
    tag: { slug: field('tag_slug'), name: field('tag_name'), description: field('tag_description') },
    term: { slug: field('term_slug'), name: field('term_name'), description: field('term_description') },
  }[kind as 'category' | 'tag' | 'term']
  const taxonomy = { category: categories, tag: tags, term: field('term_taxonomy') }[
    kind as 'category' | 'tag' | 'term'
  ]
  const example = { line, what: written.name }
  if (taxonomy !== categories && taxonomy !== tags) {
    report.add('other-taxonomy', taxonomy, example)
    return []
  }
  const slug = toSlug(written.slug) || toSlug(written.name)
  if (slug === '') {
    report.add('term-unnamed', taxonomy, example)
    return []
  }
  const parent = toSlug(field(kind === 'category' ? 'category_parent' : 'term_parent'))
  return [{ ...written, taxonomy, slug, name: written.name || slug, parent, line }]
}

async function findTerms(storage: Storage, terms: readonly TermName[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const taxonomy of [categories, tags]) {
    const slugs = [...new Set(terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => slug))]
    for (const window of windowsOf(slugs)) {
      const { rows } = await storage.terms.query({
        ...{ taxonomies: [taxonomy], slugs: window, offset: 0, limit: window.length },
        order: { by: 'id', descending: false },
      })
      for (const term of rows) found.set(keyOf(term), term.id)
    }
  }
  return found
}
