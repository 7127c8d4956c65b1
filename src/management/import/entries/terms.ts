/** Converts categories, tags and other terms of the file to terms of a site document. */
import type { Names } from '../../../names/word-map.ts'
import { categories, tags } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import type { DeclaredFields } from '../../declared-meta.ts'
import type { SiteTerm } from '../../transfer/document.ts'
import type { TypeRules } from '../kept-types/type-rules.ts'
import type { FileRecord } from '../reader.ts'
import type { Warn } from '../report.ts'
import { plainMeta } from './meta.ts'

export interface ImportedTerm {
  readonly taxonomy: string
  /** The key is the slug. */
  readonly entry: SiteTerm
  /** The file's id; 0: none. */
  readonly number: number
  readonly line: number
}

interface TermContext {
  readonly names: Names
  readonly types: TypeRules
  readonly fields: DeclaredFields
}

/** Returns undefined, after a call of `warn`, for a term without a name or of a taxonomy that the site does not have. */
export function termEntry(
  record: FileRecord,
  { names, types, fields }: TermContext,
  warn: Warn,
): ImportedTerm | undefined {
  const [writtenSlug = '', name = '', description = '', parent = ''] = elementsOf(record).map((of) =>
    textIn(record, of),
  )
  const written = { category: categories, tag: tags }[record.kind as string] ?? textIn(record, 'term_taxonomy')
  const taxonomy = names.toNeutral(written)
  if (!types.hasTaxonomy(taxonomy, written)) {
    warn('other-taxonomy', written)
    return undefined
  }
  const slug = toSlug(writtenSlug) || toSlug(name)
  if (slug === '') {
    warn('term-unnamed', taxonomy)
    return undefined
  }
  const meta = plainMeta(record.meta, { names, fields: fields.terms(taxonomy) }, warn)
  const entry = { key: slug, slug, name, description, parent: toSlug(parent) || null, meta }
  return { taxonomy, entry, number: Number(textIn(record, 'term_id')) || 0, line: record.line }
}

/** The name of a term as warnings show it. */
export const termNameIn = (record: FileRecord): string => textIn(record, elementsOf(record)[1])

const textIn = ({ fields }: FileRecord, name: string) => (fields[`wp:${name}`] ?? '').trim()

/** Each kind of record has its own element names for slug, name, description and parent. */
const elements = {
  category: ['category_nicename', 'cat_name', 'category_description', 'category_parent'],
  tag: ['tag_slug', 'tag_name', 'tag_description', 'term_parent'],
  term: ['term_slug', 'term_name', 'term_description', 'term_parent'],
} as const

const elementsOf = ({ kind }: FileRecord) => (kind === 'category' || kind === 'tag' ? elements[kind] : elements.term)
