/** The caller of a request and its capabilities. */

import type { User } from '../../contract/storage.ts'
import type { Roles } from '../../site/roles.ts'

/** A visitor has id 0. */
export interface Actor {
  readonly id: number
  readonly isVisitor: boolean
  readonly user: User | undefined
  /** The request authenticates with the application password of this id. */
  readonly applicationPassword?: number
  can(capability: string): boolean
}

export const visitor: Actor = { id: 0, isVisitor: true, user: undefined, can: () => false }

/** Has all capabilities and is no user: for the host's own calls with `as: 'system'`. */
export const system: Actor = { id: 0, isVisitor: false, user: undefined, can: () => true }

export function actorOf(user: User, roles: Roles): Actor {
  const granted = new Set<string>()
  for (const role of user.roles) {
    for (const [capability, given] of Object.entries(ownEntry(roles, role) ?? {})) if (given) granted.add(capability)
  }
  for (const [capability, given] of Object.entries(user.capabilities)) {
    if (given) granted.add(capability)
    else granted.delete(capability)
  }
  return { id: user.id, isVisitor: false, user, can: (capability) => granted.has(capability) }
}

const ownEntry = (roles: Roles, role: string) => (Object.hasOwn(roles, role) ? roles[role] : undefined)

/** Lists the stored roles and capabilities of the caller in an order that no storage changes, for digests; null: no user. */
export const rightsOf = ({ user }: Actor) =>
  user ? [[...user.roles].sort(), Object.entries(user.capabilities).sort()] : null
