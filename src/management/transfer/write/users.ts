/** Inserts planned users with their meta and application passwords. */
import type { Storage } from '../../../contract/storage.ts'
import { passwordRow } from '../../../core/pipeline/application-passwords.ts'
import { applicationPasswords } from '../../../core/pipeline/authentication.ts'
import { idsOf } from '../given-ids.ts'
import type { PlannedUser } from '../plan.ts'
import { type ReferenceIds, setIds } from './ids.ts'
import { writeMeta } from './meta.ts'

export async function insertUsers(storage: Storage, users: readonly PlannedUser[], ids: ReferenceIds): Promise<void> {
  const rows = users.map(({ row }) => row)
  setIds(ids, users, await storage.users.insert(rows, idsOf(users)))
  await writeMeta(storage, 'user', users, ids)
  const passwords = users.flatMap(({ reference, applicationPasswords: list }) =>
    list.map((password) => passwordRow({ ...password, user: ids.of(reference) })),
  )
  if (passwords.length === 0) return
  const passwordIds = idsOf(users.flatMap(({ applicationPasswords: list }) => list))
  await storage.records.insert(applicationPasswords, passwords, passwordIds)
}
