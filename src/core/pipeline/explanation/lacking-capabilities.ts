/** Which capabilities would let a caller pass a permission: the permission is asked again with each of them. */
import type { Actor } from '../../declare/actor.ts'
import type { Context } from '../../declare/context.ts'
import type { AnyEndpoint } from '../../declare/endpoint.ts'

/** Thrown where a permission looks at the record or the storage, which the caller may not see through it. */
const looked = Symbol('looked at the storage')

/**
 * Each list is a way: capabilities that are enough together. Empty where no capability is. `isBlind`: only what follows from the caller
 * and the arguments, without a look at the record.
 */
export async function lackingCapabilities(
  { permission, resource }: AnyEndpoint,
  context: Context,
  isBlind: boolean,
): Promise<readonly (readonly string[])[]> {
  const asked = new Set<string>()
  const passesWith = async (granted: readonly string[]) => {
    const user: Actor = {
      ...context.user,
      can(capability) {
        if (context.user.can(capability) || granted.includes(capability)) return true
        asked.add(capability)
        return false
      },
    }
    const tried = isBlind ? withoutStorage({ ...context, user }, resource !== undefined) : { ...context, user }
    return !(await permission.check(tried as never))
  }
  try {
    // The caller passes: another step refuses.
    if (await passesWith([])) return []
    return await waysOf(passesWith, asked)
  } catch (error) {
    if (error === looked) return []
    throw error
  }
}

/** Permissions ask for a handful. */
const maxAsked = 8

async function waysOf(passesWith: (granted: readonly string[]) => Promise<boolean>, asked: ReadonlySet<string>) {
  const ways: string[][] = []
  for (const one of [...asked]) if (await passesWith([one])) ways.push([one])
  if (ways.length > 0) return ways
  let known = 0
  while (asked.size > known && asked.size <= maxAsked) {
    known = asked.size
    if (await passesWith([...asked])) return [await fewest([...asked], passesWith)]
  }
  return []
}

async function fewest(all: readonly string[], passesWith: (granted: readonly string[]) => Promise<boolean>) {
  let needed = [...all]
  for (const one of all) {
    const others = needed.filter((other) => other !== one)
    if (await passesWith(others)) needed = others
  }
  return needed
}

function withoutStorage(context: Context, hasRecord: boolean): Context {
  const refuse = {
    enumerable: true,
    get(): never {
      throw looked
    },
  }
  return Object.defineProperties(
    { ...context },
    {
      storage: refuse,
      ...(hasRecord ? { resource: refuse } : {}),
    },
  )
}
