/** The report of an import: counts of rows, and what could not be imported with the first lines of each problem. */

import type { Json } from '../../contract/storage.ts'

type ImportCount = { created: number; updated: number; existing: number }

/** A kind of value that was left out or changed. */
interface ImportProblem {
  /** `unknown-type`, `invalid-date` and so on: see docs/import.md. */
  readonly kind: ProblemKind
  /** The post type, taxonomy, status or meta key; empty where the kind says all. */
  readonly what: string
  count: number
  /** The first three. */
  readonly examples: { readonly line: number; readonly what: string }[]
}

/** The network that the source is a part of. */
export interface SourceNetwork {
  /** The address of the network; empty where the source does not say it. */
  readonly address: string
  /** The addresses of the sites that the source contains: one, but for joined files. */
  readonly sites: readonly string[]
  /** The numbers of the sites whose uploads the source uses. */
  readonly uploads: readonly number[]
}

/** The result of an import. */
export interface ImportReport {
  readonly source: {
    readonly site: string
    readonly title: string
    readonly version: string
    /** Absent: the source belongs to none. */
    readonly network?: SourceNetwork
  }
  readonly items: number
  readonly bytes: number
  readonly counts: { readonly [kind: string]: Readonly<ImportCount> }
  /** The options that an empty site took from the file, and the pages that the caller named. */
  readonly settings: { readonly [option: string]: Json }
  readonly problems: readonly ImportProblem[]
  /** The libraries of icons that documents name, such as `fa-solid`. Absent: none. Packages with their icons are installed apart. */
  readonly icons?: readonly string[]
  /** TypeScript that declares the types and taxonomies that are kept (`keepUnknown`), for a profile. Absent: none. */
  readonly declarations?: string
  /**
   * TypeScript that declares the fields of posts, pages, media and terms that the source has and the profile lacks: their values are
   * stored, and routes show them once they are declared. Absent: none.
   */
  readonly fields?: string
  /** Why the file was not read to the end. */
  readonly error?: { readonly message: string; readonly line: number; readonly byte: number }
}

export const problemSentences = {
  'unknown-type': 'items of an unknown type were left out',
  'type-kept': 'items of a type that the profile lacks are kept as private records',
  'other-taxonomy': 'terms of another taxonomy were left out',
  'unknown-status': 'items have an unknown status and became drafts',
  'unknown-format': 'items have an unknown format and became standard',
  'invalid-date': 'dates were not readable and were made from the others',
  'invalid-id': 'items have no number: nothing can refer to them',
  'slug-changed': 'slugs were taken or not allowed and were changed',
  'no-author': 'items name no author',
  'user-made': 'authors are named by items only and were made from the name',
  'missing-post': 'references lead to something that is not in the file',
  'left-out-post': 'references lead to items that were left out',
  'parent-circle': 'items would lie below themselves and lost their parent',
  'meta-repeated': 'meta keys stand there more than once: the last one counts',
  'meta-unreadable': 'meta values could not be read and were left out',
  'meta-kept': 'meta values are serialized objects, or do not parse, and stay texts',
  'unknown-widget':
    'widgets of documents are unknown: their texts, links and pictures are shown without their own form',
  'unknown-shortcode':
    'shortcodes are none of this site and are shown as they are typed: render.shortcodes can define them',
  'meta-generated': 'meta values are made anew when needed and were left out',
  'kit-not-used':
    'kits are stored, but the site keeps its own; --kit (kit: true) or api.site.kit.use(id) takes one over',
  'kit-unread':
    'parts of the design are not shown by the interface of the site: export it there as a kit (zip), and import that with --kit',
  'invalid-setting': 'settings have a value that means nothing here and were left out',
  'undrawn-setting': 'settings of the kit are kept, but no page changes with them',
  comments: 'comments were left out',
  'term-unnamed': 'terms without a name were left out',
  'several-sites': 'sites are in one file, where one number means an item of each: import a file of each',
  'not-written': 'items could not be written',
  'file-missing': 'files of media could not be stored and are shown from the old site',
}

export type ProblemKind = keyof typeof problemSentences

/** Reports a problem of the current record. */
export type Warn = (kind: ProblemKind, what: string, count?: number) => void

const maxExamples = 3
/** Further names of a kind are counted together: they come from the file. */
const maxNames = 200
const others = 'others'

export interface ReportBuilder {
  add(kind: ProblemKind, what: string, example: { readonly line: number; readonly what: string }, count?: number): void
  count(kind: string, how: keyof ImportCount): void
  readonly counts: { readonly [kind: string]: Readonly<ImportCount> }
  readonly problems: readonly ImportProblem[]
}

export function createReport(): ReportBuilder {
  const counts: { [kind: string]: ImportCount } = {}
  const problems = new Map<string, ImportProblem>()
  const names = new Map<ProblemKind, number>()
  const found = (kind: ProblemKind, what: string): ImportProblem => {
    const known = problems.get(`${kind} ${what}`)
    if (known) return known
    const number = (names.get(kind) ?? 0) + 1
    if (number > maxNames && what !== others) return found(kind, others)
    names.set(kind, number)
    const problem = { kind, what, count: 0, examples: [] }
    problems.set(`${kind} ${what}`, problem)
    return problem
  }
  return {
    counts,
    get problems() {
      return [...problems.values()]
    },
    add(kind, what, example, count = 1) {
      const problem = found(kind, what)
      problem.count += count
      if (problem.examples.length < maxExamples) {
        problem.examples.push({ line: example.line, what: shortened(example.what) })
      }
    },
    count(kind, how) {
      // Names of types come from the file, and may be those of members that all objects have.
      if (!Object.hasOwn(counts, kind)) counts[kind] = { created: 0, updated: 0, existing: 0 }
      ;(counts[kind] as ImportCount)[how]++
    },
  }
}

/** A copy, because a slice of a long string keeps the whole string in memory. */
const shortened = (text: string) =>
  JSON.parse(JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)) as string
