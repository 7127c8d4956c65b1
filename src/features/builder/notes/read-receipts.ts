/** Receipts: which user has read a note, and which user it mentions. */
import type { Storage, Where } from '../../../contract/storage.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import { receiptsCollection } from './model.ts'

export interface NoteReceipt {
  readonly note: number
  readonly user: number
  readonly kind: 'read' | 'mention'
}

/** Receipts of all users, or of one user. */
export async function readReceipts(storage: Storage, notes: readonly number[], user?: number): Promise<NoteReceipt[]> {
  const ofNotes: Where = { field: 'note', in: notes }
  const where: Where = user === undefined ? ofNotes : { every: [ofNotes, { field: 'user', is: user }] }
  const { rows } = await storage.records.query(receiptsCollection, { where })
  return rows.map((row) => ({
    note: Number(row['note']),
    user: Number(row['user']),
    kind: row['kind'] === 'read' ? 'read' : 'mention',
  }))
}

const keyOf = ({ note, user, kind }: NoteReceipt) => `${note} ${user} ${kind}`
const maxAttempts = 10

/** Adds the receipts that do not exist yet. A receipt that another request inserts at the same time counts as added. */
export async function addReceipts(storage: Storage, receipts: readonly NoteReceipt[]): Promise<void> {
  // The host's own calls have the user id 0, which is no account: they leave no receipts.
  const missing = new Map(receipts.filter(({ user }) => user !== 0).map((receipt) => [keyOf(receipt), receipt]))
  if (missing.size === 0) return
  const notes = [...new Set([...missing.values()].map(({ note }) => note))]
  for (let attempt = 1; ; attempt++) {
    for (const receipt of await readReceipts(storage, notes)) missing.delete(keyOf(receipt))
    const rows = [...missing.values()].map(({ note, user, kind }) => ({ note, user, kind }))
    const conflict = await tryInsert(storage, receiptsCollection, rows)
    if (!conflict) return
    if (attempt === maxAttempts) throw conflict
  }
}

export async function removeReceipts(
  storage: Storage,
  {
    notes,
    users,
    kind,
  }: { readonly notes: readonly number[]; readonly users: readonly number[]; readonly kind: NoteReceipt['kind'] },
): Promise<void> {
  await storage.records.remove(receiptsCollection, {
    every: [
      { field: 'note', in: notes },
      { field: 'user', in: users },
      { field: 'kind', is: kind },
    ],
  })
}
