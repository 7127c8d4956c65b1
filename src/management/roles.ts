/** `api.site.roles`: the roles of a site and what each may do. */

import { nameAdvice } from '../contract/nearest-name.ts'
import type { Roles } from '../site/roles.ts'
import { storedRoles } from '../site/settings.ts'
import type { ManagementContext } from './context.ts'

/** `api.site.roles`: what each role may do. */
export interface SiteRoles {
  /** Returns the capabilities by role; a role has those that are true. */
  read(): Promise<Roles>
  /**
   * Gives a role capabilities, such as those of a content type with its own `capabilityWord`. Rejects for a role that the site does not have.
   *
   * ```ts
   * await api.site.roles.grant('editor', ['edit_recipes', 'publish_recipes'])
   * ```
   */
  grant(role: string, capabilities: readonly string[]): Promise<void>
  /** Takes capabilities from a role. */
  revoke(role: string, capabilities: readonly string[]): Promise<void>
}

const option = 'roles'

type Capabilities = Roles[string]

export function createRoles(context: ManagementContext): SiteRoles {
  const { storage, ready, write } = context
  const stored = async (from: ManagementContext['storage']): Promise<Roles> =>
    storedRoles((await from.options.read([option]))[option])
  const change = async (role: string, changed: (own: Capabilities) => Capabilities) => {
    await ready()
    await write(async (transaction, queue) => {
      const roles = await stored(transaction)
      const own = Object.hasOwn(roles, role) ? roles[role] : undefined
      if (!own) throw new TypeError(`there is no role ${role}: ${nameAdvice(role, Object.keys(roles), 'the roles')}`)
      await transaction.options.write({ [option]: { ...roles, [role]: changed(own) } })
      queue('site.changed', { options: [option] })
    })
  }
  return {
    async read() {
      await ready()
      return stored(storage)
    },
    grant: (role, capabilities) =>
      change(role, (own) => ({ ...own, ...Object.fromEntries(capabilities.map((name) => [name, true])) })),
    revoke: (role, capabilities) =>
      change(role, (own) => Object.fromEntries(Object.entries(own).filter(([name]) => !capabilities.includes(name)))),
  }
}
