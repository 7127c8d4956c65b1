/** The stored states of packages, and the claim that excludes concurrent changes of one package. */

import type { Collection, Storage, StoredRecord, Where } from '../../contract/storage.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import { randomId } from '../../core/runtime/crypto.ts'
import type { PackageDeclaration, PackageName, PackageStatus } from './declaration.ts'
import { isBusy } from './errors.ts'

/** A package has a row after its first change. */
export const packageStates: Collection = {
  name: 'packages',
  fields: {
    kind: 'text',
    slug: 'text',
    /** `absent`, `inactive` or `active`; of a theme `absent` or `inactive`, see `activeThemeOption`. */
    status: 'text',
    version: 'text',
    migrated: 'boolean',
    /** The id of the change in progress, and the time when it expires. */
    busy: 'text',
    busy_until: 'integer',
  },
  indexed: ['slug'],
  unique: [['kind', 'slug']],
}

/** One theme is active at a time, so one option has its slug. */
export const activeThemeOption = 'active_theme'

export interface State {
  readonly status: 'absent' | PackageStatus
  readonly version: string
  readonly isMigrated: boolean
}

export const keyOf = ({ kind, slug }: PackageName) => `${kind}:${slug}`

/** Without a row, a package has the state that the host declares for a new site. */
export function stateOf(entry: PackageDeclaration, row: StoredRecord | undefined): State {
  if (row) {
    const { status, version, migrated } = row
    // The cast: only states are written there.
    return { status: status as State['status'], version: String(version), isMigrated: migrated === true }
  }
  const { kind, initially = 'absent', version } = entry
  return { status: kind === 'theme' && initially === 'active' ? 'inactive' : initially, version, isMigrated: false }
}

export async function readRow(storage: Storage, { kind, slug }: PackageName): Promise<StoredRecord | undefined> {
  const where: Where = {
    every: [
      { field: 'kind', is: kind },
      { field: 'slug', is: slug },
    ],
  }
  return (await storage.records.query(packageStates, { where, limit: 1 })).rows[0]
}

// ---------------------------------------------------------------- one change at a time

/** The claim of a process that died expires after this time. */
const busyMs = 5 * 60 * 1000

interface Claim {
  /** The state when the claim began. */
  readonly state: State
  /** Stores the state and releases the claim. Rejects if the claim expired and another one began. */
  end(next: State): Promise<void>
}

/** Claims a package in storage, so that the claim holds across processes. Rejects with `busy`. */
export async function claim(storage: Storage, clock: AppContext['clock'], entry: PackageDeclaration): Promise<Claim> {
  const { records } = storage
  const busy = randomId()
  const now = clock()
  const claimFields = { busy, busy_until: now + busyMs }
  const row = await readRow(storage, entry)
  const state = stateOf(entry, row)
  if (row && typeof row['busy'] === 'string' && Number(row['busy_until']) > now) throw isBusy(entry)
  const ids = row
    ? await records.update(packageStates, [
        { id: row.id, changes: claimFields, when: { field: 'busy', is: row['busy'] as string | null } },
      ])
    : await insertRow(storage, { ...rowOf(entry, state), ...claimFields }, entry)
  const id = ids[0]
  if (id === undefined) throw isBusy(entry)
  return {
    state,
    async end(next) {
      const changes = { ...rowOf(entry, next), busy: null, busy_until: null }
      const ended = await records.update(packageStates, [{ id, changes, when: { field: 'busy', is: busy } }])
      if (ended.length === 0) throw isBusy(entry)
    },
  }
}

const rowOf = ({ kind, slug }: PackageName, { status, version, isMigrated }: State) => ({
  kind,
  slug,
  status,
  version,
  migrated: isMigrated,
})

/** The unique index lets only one of two concurrent inserts succeed. */
async function insertRow({ records }: Storage, row: ReturnType<typeof rowOf>, name: PackageName) {
  try {
    return await records.insert(packageStates, [row])
  } catch (error) {
    if ((error as { code?: unknown }).code === 'storage_conflict') throw isBusy(name)
    throw error
  }
}
