/** `api.site.roles`: the roles of a site and what each may do. */

import { nameAdvice } from '../contract/nearest-name.ts'
import { defaultRoles, type Roles } from '../site/roles.ts'
import type { ManagementContext } from './context.ts'

/** `api.site.roles`: what each role may do. */
export interface SiteRoles {
  /** The capabilities by role: those that are true. */
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

export function createRoles(context: ManagementContext): SiteRoles {
  const { storage, ready, write } = context
  const stored = async (from: ManagementContext['storage']): Promise<Roles> =>
    // The cast: the option has roles only.
    ((await from.options.read([option]))[option] as Roles | undefined) ?? defaultRoles
  const change = async (role: string, capabilities: readonly string[], isGranted: boolean) => {
    await ready()
    await write(async (transaction, queue) => {
      const roles = await stored(transaction)
      if (!Object.hasOwn(roles, role)) {
        throw new TypeError(`there is no role ${role}: ${nameAdvice(role, Object.keys(roles), 'the roles')}`)
      }
      const others = Object.entries(roles[role] ?? {}).filter(([name]) => !capabilities.includes(name))
      const given = isGranted ? capabilities.map((name) => [name, true] as const) : []
      await transaction.options.write({ [option]: { ...roles, [role]: Object.fromEntries([...others, ...given]) } })
      queue('site.changed', { options: [option] })
    })
  }
  return {
    async read() {
      await ready()
      return stored(storage)
    },
    grant: (role, capabilities) => change(role, capabilities, true),
    revoke: (role, capabilities) => change(role, capabilities, false),
  }
}
