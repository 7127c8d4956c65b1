/** `api.site.passwords`: application passwords, one for each application that a user authorizes. */

import type { StoredRecord } from '../contract/storage.ts'
import { createApplicationPassword } from '../core/pipeline/application-passwords.ts'
import { applicationPasswords, findUserById } from '../core/pipeline/authentication.ts'
import { formatApplicationPassword } from '../core/runtime/crypto.ts'
import { type ManagementContext, nowGmt } from './context.ts'

interface ApplicationPassword {
  readonly id: number
  readonly user: number
  /** The name of the application. */
  readonly name: string
  /** A UUID that the application chose; empty: none. */
  readonly appId: string
  /** GMT. */
  readonly created: string
  /** GMT, updated at most once a day; null: never used. */
  readonly lastUsed: string | null
}

/** `api.site.passwords`: application passwords of users. */
export interface SitePasswords {
  /** Only here is `password` readable: storage has its digest only. Rejects if there is no such user. */
  create(
    user: number,
    name: string,
    options?: { readonly appId?: string },
  ): Promise<ApplicationPassword & { readonly password: string }>
  list(user: number): Promise<ApplicationPassword[]>
  /** Requests with the password are rejected from now on. Returns false if there was none. */
  revoke(id: number): Promise<boolean>
}

export function createPasswords(context: ManagementContext): SitePasswords {
  const { storage, ready, write } = context
  return {
    async create(user, name, { appId = '' } = {}) {
      await ready()
      if (!(await findUserById(storage, user))) throw new TypeError(`there is no user ${user}`)
      const created = nowGmt(context)
      const { id, secret } = await write(async (transaction, queue) => {
        const made = await createApplicationPassword(transaction, { user, name, appId, created })
        queue('password.created', { id: made.id, user, name, appId })
        return made
      })
      return { id, user, name, appId, created, lastUsed: null, password: formatApplicationPassword(secret) }
    },
    async list(user) {
      await ready()
      const { rows } = await storage.records.query(applicationPasswords, { where: { field: 'user', is: user } })
      return rows.map(passwordView)
    },
    async revoke(id) {
      await ready()
      return write(async ({ records }, queue) => {
        const { rows } = await records.query(applicationPasswords, { where: { field: 'id', is: id }, limit: 1 })
        const isRevoked = (await records.remove(applicationPasswords, { field: 'id', is: id })) > 0
        if (isRevoked) queue('password.revoked', { id, user: Number(rows[0]?.user) })
        return isRevoked
      })
    },
  }
}

const passwordView = ({ id, user, name, app_id, created, last_used }: StoredRecord): ApplicationPassword => ({
  id,
  user: Number(user),
  name: String(name),
  appId: String(app_id ?? ''),
  created: String(created),
  lastUsed: typeof last_used === 'string' ? last_used : null,
})
