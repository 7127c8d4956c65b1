/** Writes the meta of planned rows, whose ids are known. */
import type { MetaOwner, Storage } from '../../../contract/storage.ts'
import type { Meta, Reference } from '../references.ts'
import type { ReferenceIds } from './ids.ts'

export async function writeMeta(
  storage: Storage,
  owner: MetaOwner,
  rows: readonly { readonly reference: Reference; readonly meta: Meta }[],
  ids: ReferenceIds,
): Promise<void> {
  const entries = rows.flatMap(({ reference, meta }) =>
    Object.entries(meta).map(([key, value]) => ({ id: ids.of(reference), key, value })),
  )
  if (entries.length > 0) await storage.meta.write(owner, entries)
}
