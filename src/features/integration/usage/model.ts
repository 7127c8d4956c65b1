/** The graph of use: which record names which other one, one row for each part of a record that names it. */
import type { Collection } from '../../../contract/storage.ts'

/**
 * `source` and `target` are records: `post:12` (also media, templates, components, menu items), `term:3` (also menus), `user:1`,
 * `class:g-1`, `variable:v-1`, `color:primary`, `typography:text`, `option:site_logo`, `file:2026/05/pier.jpg` below the uploads, and
 * `shortcode:gallery`.
 */
export const usageEdges: Collection = {
  name: 'usage_edges',
  fields: {
    source: 'text',
    /** The part of the source that names the target: `row`, `terms:category`, `meta:_builder_data`, `value`. */
    part: 'text',
    target: 'text',
  },
  indexed: ['source', 'target'],
  unique: [['source', 'part', 'target']],
}

/** True: the edges are those of the whole site. Absent: they are made when somebody asks for them. */
export const usageStateOption = 'usage_graph'

/** A part of a record, and the records that it names. */
export interface NamingPart {
  readonly source: string
  readonly part: string
  readonly targets: ReadonlySet<string>
}

export interface Edge {
  readonly source: string
  readonly part: string
  readonly target: string
}

export const edgesOf = (parts: Iterable<NamingPart>): Edge[] =>
  [...parts].flatMap(({ source, part, targets }) => [...targets].map((target) => ({ source, part, target })))

export const edgeKey = ({ source, part, target }: Edge): string => JSON.stringify([source, part, target])
