/** Reads the entries of common members that features make of the members they add. */
import type { ExpandedEntries } from '../../core/declare/feature.ts'
import { convertedRows, entryRows, type Rows, rowsOf } from './planned-rows.ts'
import type { SiteSource, SourcePart } from './site-source.ts'

/** Each entry has a path for messages. */
export function expandedRows<E>(
  { sections }: Pick<SiteSource, 'sections'>,
  part: SourcePart,
  member: 'terms' | 'documents',
): Rows<E> {
  return convertedRows(
    expandedEntries(sections, part),
    // The cast: a feature expands its entries to entries of this member.
    (entries) => (entries[member] ?? []).map((entry) => ({ ...entry, path: `${entry.kind}.${entry.key}` }) as E),
  )
}

export const expandedRecords = ({ sections }: Pick<SiteSource, 'sections'>, part: SourcePart) =>
  convertedRows(expandedEntries(sections, part), ({ records = [] }) => records)

const expandedEntries = (sections: SiteSource['sections'], part: SourcePart): Rows<ExpandedEntries> =>
  rowsOf(
    ...sections.map(({ member, expand }) =>
      // The cast: the schema of the section has checked each entry.
      entryRows<never, ExpandedEntries>(part.list(member), ({ entry }) => expand(entry)),
    ),
  )
