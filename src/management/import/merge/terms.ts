/** Finds the terms of an import by taxonomy and slug, and creates the others. Parents may follow their children. */

import type { Storage } from '../../../contract/storage.ts'
import type { Names } from '../../../names/word-map.ts'
import { categories, tags } from '../../../site/post-keys.ts'
import { inOneTransaction, type ManagementContext, windowsOf } from '../../context.ts'
import { type DeclaredFields, declaredFields } from '../../declared-meta.ts'
import { listedTerm, type PlannedTerm, plannedTerm } from '../../transfer/plan.ts'
import { termKind } from '../../transfer/references.ts'
import { ReferenceIds } from '../../transfer/write/ids.ts'
import { insertTerms, parentsOf, updateTerms, writeParents } from '../../transfer/write/terms.ts'
import type { NamedTerm } from '../entries/posts.ts'
import { fileReferences, numbered } from '../entries/references.ts'
import { type ImportedTerm, termEntry, termNameIn } from '../entries/terms.ts'
import type { KeptTypes } from '../kept-types/index.ts'
import type { FileRecord } from '../reader.ts'
import type { ReportBuilder, Warn } from '../report.ts'
import { type RecordCheck, recordCheck } from './record-check.ts'

interface TermImportOptions {
  readonly context: ManagementContext
  readonly report: ReportBuilder
  readonly ids: ReferenceIds
  readonly names: Names
  readonly types: KeptTypes
  /** Whether existing terms get the values of the file. */
  readonly update: boolean
}

type TermOfFile = PlannedTerm & Pick<ImportedTerm, 'number' | 'line'>

const referenceOf = (taxonomy: string, slug: string) => `${termKind(taxonomy)}.${slug}`

export class TermImport {
  readonly #options: TermImportOptions
  readonly #fields: DeclaredFields

  constructor(options: TermImportOptions) {
    this.#options = options
    this.#fields = declaredFields(options.context.persisted)
  }

  async declare(records: readonly FileRecord[]): Promise<void> {
    const { report } = this.#options
    const terms = records.flatMap((record) =>
      this.#read(record, (kind, which) => report.add(kind, which, { line: record.line, what: termNameIn(record) })),
    )
    for (const term of terms) this.#options.types.observeTerm(term)
    if (terms.length > 0) await this.#merge(terms.map(planned))
  }

  /** Creates the terms that items name and the file does not declare. */
  async ensure(named: readonly NamedTerm[]): Promise<void> {
    const references = named.map((term) => [referenceOf(term.taxonomy, term.slug), term] as const)
    const missing = new Map(references.filter(([reference]) => this.#options.ids.of(reference) === 0))
    if (missing.size === 0) return
    const terms = [...missing.values()].map(({ taxonomy, slug, name }) =>
      planned({ taxonomy, entry: { key: slug, slug, name }, number: 0, line: 0 }),
    )
    await this.#merge(terms)
  }

  async check(records: readonly FileRecord[]): Promise<RecordCheck[]> {
    const { context, ids } = this.#options
    // The import has reported the problems.
    const terms = records.flatMap((record) => this.#read(record, () => undefined)).map(planned)
    const order = { by: 'id', descending: false } as const
    const all = terms.map(({ reference }) => ids.of(reference))
    const query = { ids: all, order, offset: 0, limit: Math.max(all.length, 1) }
    const stored = new Map((await context.storage.terms.query(query)).rows.map((row) => [row.id, row]))
    return terms.map(({ reference, number, row: { taxonomy, slug, name, description }, parent }) => {
      const row = stored.get(ids.of(reference))
      const here = row && [row.slug, row.name, row.description, row.parent]
      return recordCheck(countOf(taxonomy), number, [slug, name, description, ids.of(parent)], here)
    })
  }

  #read(record: FileRecord, warn: Warn): readonly ImportedTerm[] {
    const { names, types } = this.#options
    const rules = { names, types, fields: this.#fields }
    const term = termEntry(record, rules, warn)
    return term ? [term] : []
  }

  /** In one transaction, so that no child is stored without its parent. */
  async #merge(terms: readonly TermOfFile[]): Promise<void> {
    const { context, report, update } = this.#options
    const distinct = new Map(terms.toReversed().map((term) => [term.reference, term]))
    const first = terms.filter((term) => distinct.get(term.reference) === term)
    const ids = new ReferenceIds(this.#options.ids)
    const created = await inOneTransaction(context.storage, async (transaction) => {
      await findTerms(transaction, first, ids)
      const isStored = new Set(first.filter(({ reference }) => ids.of(reference) > 0))
      const added = first.filter((term) => !isStored.has(term))
      for (const window of windowsOf(added)) await insertTerms(transaction, window, ids)
      const changed = update ? [...isStored] : []
      for (const window of windowsOf(changed)) await updateTerms(transaction, window, ids)
      await this.#setParents(transaction, [...added, ...changed], ids)
      return new Set(added)
    })
    for (const { reference, number } of terms) if (number > 0) ids.set(numbered('term', number), ids.of(reference))
    ids.commit()
    for (const term of terms)
      report.count(countOf(term.row.taxonomy), created.has(term) ? 'created' : update ? 'updated' : 'existing')
  }

  /** One after another: terms may name each other as parents. */
  async #setParents(transaction: Storage, terms: readonly TermOfFile[], ids: ReferenceIds): Promise<void> {
    const { report } = this.#options
    for (const term of terms) {
      const [child] = parentsOf([term])
      if (!child) continue
      const [id, parent] = [ids.of(term.reference), ids.of(child.parent)]
      const example = { line: term.line, what: term.row.name }
      if (parent === 0) report.add('missing-post', 'parent of a category', example)
      else if (parent === id || (await transaction.terms.below([id])).includes(parent))
        report.add('parent-circle', 'category', example)
      else await writeParents(transaction, [child], ids)
    }
  }
}

const planned = ({ taxonomy, entry, number, line }: ImportedTerm): TermOfFile => ({
  // The entry has its meta in the declared types already.
  ...plannedTerm(listedTerm(entry, taxonomy, `line ${line}`), fileReferences, {}),
  ...{ number, line },
})

/** The name under which the report counts the terms of a taxonomy. */
function countOf(taxonomy: string): string {
  if (taxonomy === categories) return 'categories'
  return taxonomy === tags ? 'tags' : taxonomy
}

/** Sets the ids of terms that are stored. */
async function findTerms(storage: Storage, terms: readonly PlannedTerm[], ids: ReferenceIds): Promise<void> {
  const order = { by: 'id', descending: false } as const
  for (const [taxonomy, rows] of Map.groupBy(terms, ({ row }) => row.taxonomy)) {
    for (const window of windowsOf(rows)) {
      const slugs = window.map(({ row }) => row.slug)
      const query = { taxonomies: [taxonomy], slugs, offset: 0, limit: window.length, order }
      for (const { id, slug } of (await storage.terms.query(query)).rows) ids.set(referenceOf(taxonomy, slug), id)
    }
  }
}
