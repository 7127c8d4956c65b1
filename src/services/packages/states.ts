/** What became of each package of the catalogue, as it is stored, and the claim that keeps others out of a change. */
import type { AppContext } from '../../core/declare/app-context.ts'
import type { Collection, Storage, StoredRecord, Where } from '../../storage/contract.ts'
import type { PackageDeclaration, PackageName, PackageStatus } from './declaration.ts'
import { isBusy } from './errors.ts'

/** A row is made when a package is first changed. */
export const packageStates: Collection = {
  name: 'packages',
  fields: {
    kind: 'text',
    slug: 'text',
    /** `absent`, `inactive` or `active`; of a theme `absent` or `inactive`, see `activeThemeOption`. */
    status: 'text',
    version: 'text',
    migrated: 'boolean',
    /** Who changes it at this moment, and until when that counts. */
    busy: 'text',
    busy_until: 'integer',
  },
  indexed: ['slug'],
  unique: [['kind', 'slug']],
}

/** One theme is active at a time, so its name stands in one place. */
export const activeThemeOption = 'active_theme'

export interface State {
  readonly status: 'absent' | PackageStatus
  readonly version: string
  readonly isMigrated: boolean
}

export const keyOf = ({ kind, slug }: PackageName) => `${kind}:${slug}`

/** Without a row it is as the host declares it for a new site. */
export function stateOf(entry: PackageDeclaration, row: StoredRecord | undefined): State {
  if (row) {
    const { status, version, migrated } = row
    // The cast: nothing else is ever written there.
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

/** A process that died in the middle of a change keeps others out no longer than that. */
const busyMs = 5 * 60 * 1000

export interface Claim {
  /** As it stood when the claim began. */
  readonly state: State
  /** Keeps the state and lets others in. Throws when the claim had run out and another one began. */
  end(next: State): Promise<void>
}

/** Decided in the storage, so that it holds between processes. */
export async function claim(storage: Storage, clock: AppContext['clock'], entry: PackageDeclaration): Promise<Claim> {
  const { records } = storage
  const busy = crypto.randomUUID()
  const now = clock()
  const mine = { busy, busy_until: now + busyMs }
  const row = await readRow(storage, entry)
  const state = stateOf(entry, row)
  if (row && typeof row['busy'] === 'string' && Number(row['busy_until']) > now) throw isBusy(entry)
  const ids = row
    ? await records.update(packageStates, [
        { id: row.id, changes: mine, when: { field: 'busy', is: row['busy'] as string | null } },
      ])
    : await inserted(storage, { ...rowOf(entry, state), ...mine }, entry)
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

/** Two who find no row at once cannot both write one. */
async function inserted({ records }: Storage, row: ReturnType<typeof rowOf>, name: PackageName) {
  try {
    return await records.insert(packageStates, [row])
  } catch (error) {
    if ((error as { code?: unknown }).code === 'storage_conflict') throw isBusy(name)
    throw error
  }
}
