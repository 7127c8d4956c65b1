/** Objects with some members replaced: how a storage is wrapped, also one that a host made with a class. */

type Method = (...values: never[]) => unknown

/** The object, with other members where `replace` has one. Methods keep their object. Each member is looked up once. */
export function withMembers<O extends object>(target: O, replace: (name: PropertyKey, member: Method) => unknown): O {
  const found = new Map<PropertyKey, unknown>()
  const get = (name: PropertyKey): unknown => {
    const known = found.get(name)
    if (known !== undefined) return known
    const member: unknown = Reflect.get(target, name)
    if (member === undefined) return undefined
    // The cast: `replace` takes the members that it knows.
    const replaced = replace(name, member as Method)
    if (replaced === undefined && typeof member !== 'function') return member
    const made = replaced ?? (member as Method).bind(target as never)
    found.set(name, made)
    return made
  }
  // The cast: the traps show the members of `target`. A proxy of itself must not replace members of an object that is frozen.
  return new Proxy({} as O, {
    get: (_, name) => get(name),
    has: (_, name) => name in target,
    ownKeys: () => Reflect.ownKeys(target),
    getOwnPropertyDescriptor: (_, name) =>
      Object.hasOwn(target, name)
        ? { value: get(name), writable: true, enumerable: true, configurable: true }
        : undefined,
  })
}
