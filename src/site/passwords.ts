/** `api.site.passwords`: application passwords, one for each application that a user lets in. */
import { applicationPasswords, lookupOf, userById } from '../core/authentication.ts'
import { digestOf, inGroups, newApplicationPassword } from '../core/digest.ts'
import type { StoredRecord } from '../storage/contract.ts'
import { nowGmt, type SiteParts } from './parts.ts'

export interface ApplicationPassword {
  readonly id: number
  readonly user: number
  /** The application that it was made for. */
  readonly name: string
  /** GMT. */
  readonly created: string
  /** GMT, recorded once a day; null: never used. */
  readonly lastUsed: string | null
}

export interface SitePasswords {
  /** `password` is shown here and never again: only its digest is stored. */
  create(user: number, name: string): Promise<ApplicationPassword & { readonly password: string }>
  list(user: number): Promise<ApplicationPassword[]>
  /** From now on the password is refused. Answers false when there was none. */
  revoke(id: number): Promise<boolean>
}

export function createPasswords(parts: SiteParts): SitePasswords {
  const { storage, ready } = parts
  return {
    async create(user, name) {
      await ready()
      if (!(await userById(storage, user))) throw new TypeError(`there is no user ${user}`)
      const secret = newApplicationPassword()
      const row = passwordRow({ user, name, digest: digestOf(secret), created: nowGmt(parts), lastUsed: null })
      const [id = 0] = await storage.records.insert(applicationPasswords, [row])
      return { id, user, name, created: row.created, lastUsed: null, password: inGroups(secret) }
    },
    async list(user) {
      await ready()
      const { rows } = await storage.records.query(applicationPasswords, { where: { field: 'user', is: user } })
      return rows.map(passwordView)
    },
    async revoke(id) {
      await ready()
      return (await storage.records.remove(applicationPasswords, { field: 'id', is: id })) > 0
    },
  }
}

interface StoredPassword {
  readonly user: number
  readonly name: string
  readonly digest: string
  readonly created: string
  readonly lastUsed: string | null
}

export const passwordRow = ({ user, name, digest, created, lastUsed }: StoredPassword) => ({
  user,
  name,
  digest,
  lookup: lookupOf(digest),
  created,
  last_used: lastUsed,
})

const passwordView = ({ id, user, name, created, last_used }: StoredRecord): ApplicationPassword => ({
  id,
  user: Number(user),
  name: String(name),
  created: String(created),
  lastUsed: typeof last_used === 'string' ? last_used : null,
})
