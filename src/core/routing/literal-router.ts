/**
 * The routes of one method as short lists. Nearly all paths are lower case and have no escapes: for them literals are found by length
 * and last character, so a path is compared with one or two of them and never hashed. Where find-my-way is missing, the same lists
 * find other paths too.
 */
import type { Method } from '../declare/endpoint.ts'
import type { Pattern } from '../declare/pattern.ts'
import type { Route, RoutedEndpoint } from './route.ts'

/** A slug of 200 characters triples when percent-encoded; a longer parameter is 404. */
export const maxParameterLength = 2048

interface Found {
  readonly routed: RoutedEndpoint
  /** Parameter values, in order. */
  readonly params: string[]
}

/** Holds literal text at the end of a path or before a parameter. */
interface Literal {
  readonly text: string
  /** The last character that is not a slash; distinguishes texts of equal length. */
  readonly last: number
}

interface LiteralEnd extends Literal {
  readonly routed: RoutedEndpoint
}

/** A parameter that fills a segment, and the literal before it, which ends in a slash. */
interface ParameterNode {
  readonly text: string
  /** The character before the final slash of the literal; distinguishes most texts of equal length. */
  readonly last: number
  /** The bit of the parameter's pattern. */
  readonly pattern: number
  readonly below: LiteralRouter
}

const slash = 47

/** Creates the router of each method that the routes have. */
export function createLiteralRouters(routes: readonly Route[]): ReadonlyMap<Method, LiteralRouter> {
  const routers = new Map<Method, LiteralRouter>()
  const alphabet = new CharacterClasses()
  for (const { pattern, endpoints } of routes) {
    for (const routed of endpoints) {
      for (const method of routed.endpoint.methods) {
        const router = routers.get(method) ?? new LiteralRouter(alphabet)
        routers.set(method, router)
        router.add(pattern, routed)
      }
    }
  }
  return routers
}

/** A path in two spellings, which have the same offsets unless lower case has another length. */
interface SpelledPath {
  readonly lower: string
  readonly sent: string
}

class LiteralRouter {
  /** The entries by their length. */
  readonly #ends: (LiteralEnd[] | undefined)[] = []
  /** By literal length: a group is skipped where the path has no slash at that offset. */
  readonly #slots: ParameterNode[][] = []
  /** Literal lengths of the groups, longest first: a literal segment wins over a parameter in its position. */
  readonly #lengths: number[] = []
  readonly #alphabet: CharacterClasses
  /** The number of parameters before this node. */
  readonly #depth: number
  /** The endpoint if nothing follows. */
  #here: RoutedEndpoint | undefined

  constructor(alphabet: CharacterClasses, depth = 0) {
    this.#alphabet = alphabet
    this.#depth = depth
  }

  add({ readable, parameters }: Pattern, routed: RoutedEndpoint): void {
    const [first = '', ...others] = (readable || '/').toLowerCase().split(/\{\w+\}/)
    let tree: LiteralRouter = this
    let text = first
    for (const [index, next] of others.entries()) {
      tree = tree.#below(text, parameters[index]?.pattern ?? '')
      text = next
    }
    if (text === '') tree.#here = routed
    else listAt(tree.#ends, text.length).push({ text, last: text.charCodeAt(text.length - 1), routed })
  }

  /**
   * Undefined: no route has this path. Null: the path has capitals, escapes or a trailing slash, and find-my-way or `findSpelled`
   * decides.
   */
  find(path: string): Found | undefined | null {
    const { length } = path
    const ends = this.#ends[length]
    if (ends !== undefined) {
      const last = path.charCodeAt(length - 1)
      for (let i = 0; i < ends.length; i++) {
        const end = ends[i] as LiteralEnd
        if (end.last === last && path === end.text) return { routed: end.routed, params: [] }
      }
    }
    return this.#throughSlots(path, 0) ?? (this.#alphabet.isPlain(path) ? undefined : null)
  }

  /** Finds a path with capitals or escapes and without a trailing slash: compares literals in lower case, and decodes the values. */
  findSpelled(path: string): Found | undefined {
    const sent = decodedPath(path)
    return sent === undefined ? undefined : this.#findSpelled({ sent, lower: sent.toLowerCase() }, 0)
  }

  #findSpelled(path: SpelledPath, from: number): Found | undefined {
    const rest = path.lower.slice(from)
    const routed = rest === '' ? this.#here : this.#ends[rest.length]?.find(({ text }) => text === rest)?.routed
    if (routed) return { routed, params: [] }
    for (const slot of this.#slots.flat()) {
      const found = path.lower.startsWith(slot.text, from) ? this.#throughSpelled(slot, path, from) : undefined
      if (found) return found
    }
    return undefined
  }

  #throughSpelled({ text, pattern, below }: ParameterNode, path: SpelledPath, from: number): Found | undefined {
    const start = from + text.length
    const next = path.sent.indexOf('/', start)
    const end = next === -1 ? path.lower.length : next
    const value = decodeURIComponent(path.sent.slice(start, end))
    if (value.length > maxParameterLength || !this.#alphabet.accepts(value, pattern)) return undefined
    const found = below.#findSpelled(path, end)
    return found && { routed: found.routed, params: [value, ...found.params] }
  }

  /** The last parameter's value lies between `start` and `from`. */
  #find(path: string, start: number, from: number): Found | undefined {
    const { length } = path
    if (length === from) return this.#here && { routed: this.#here, params: this.#params(path, start, from) }
    const ends = this.#ends[length - from]
    if (ends !== undefined) {
      const last = path.charCodeAt(length - 1)
      for (let i = 0; i < ends.length; i++) {
        const end = ends[i] as LiteralEnd
        // `slice` and a comparison take half the time of `startsWith` (Node 24).
        if (end.last === last && path.slice(from) === end.text) {
          return { routed: end.routed, params: this.#params(path, start, from) }
        }
      }
    }
    return this.#throughSlots(path, from)
  }

  #throughSlots(path: string, from: number): Found | undefined {
    const { length } = path
    const lengths = this.#lengths
    for (let i = 0; i < lengths.length; i++) {
      const start = from + (lengths[i] as number)
      if (start >= length || path.charCodeAt(start - 1) !== slash) continue
      const group = this.#slots[i] as ParameterNode[]
      const last = path.charCodeAt(Math.max(start - 2, from))
      for (let j = 0; j < group.length; j++) {
        const slot = group[j] as ParameterNode
        if (slot.last !== last || path.slice(from, start) !== slot.text) continue
        const found = this.#throughSlot(slot, path, start)
        if (found) return found
      }
    }
    return undefined
  }

  #throughSlot({ pattern, below }: ParameterNode, path: string, start: number): Found | undefined {
    const end = this.#alphabet.endOf(path, start, pattern)
    if (end === start || end - start > maxParameterLength) return undefined
    const found = below.#find(path, start, end)
    // The last parameter is filled in already.
    if (found && this.#depth < found.params.length - 1) found.params[this.#depth] = path.slice(start, end)
    return found
  }

  /**
   * Creates the array with the last value; the others are filled on the way back. Array literals are faster than filled
   * arrays.
   */
  #params(path: string, start: number, end: number): string[] {
    if (this.#depth === 0) return []
    const last = path.slice(start, end)
    if (this.#depth === 1) return [last]
    return this.#depth === 2 ? ['', last] : [...new Array<string>(this.#depth - 1).fill(''), last]
  }

  #below(text: string, pattern: string): LiteralRouter {
    const bit = this.#alphabet.bitOf(pattern)
    const group = this.#group(text.length)
    const known = group.find((slot) => slot.text === text)
    if (known && known.pattern !== bit) throw new Error(`${text}: parameters in one place have one pattern`)
    if (known) return known.below
    const below = new LiteralRouter(this.#alphabet, this.#depth + 1)
    group.push({ text, last: text.charCodeAt(Math.max(text.length - 2, 0)), pattern: bit, below })
    return below
  }

  #group(length: number): ParameterNode[] {
    const at = this.#lengths.findIndex((other) => other <= length)
    if (this.#lengths[at] === length) return this.#slots[at] as ParameterNode[]
    const group: ParameterNode[] = []
    const place = at === -1 ? this.#lengths.length : at
    this.#lengths.splice(place, 0, length)
    this.#slots.splice(place, 0, group)
    return group
  }
}

const plain = 1

/**
 * Stores the patterns that accept each ASCII character, as bits: one pass over a segment finds the patterns that it matches.
 */
class CharacterClasses {
  readonly bits = Int32Array.from({ length: 128 }, (_, code) => (isPlain(code) ? plain : 0))
  readonly #patterns: string[] = []
  /** The same patterns for whole values. */
  readonly #wholes: RegExp[] = []

  /** The offset at which the pattern stops matching. */
  endOf(path: string, start: number, pattern: number): number {
    const { bits } = this
    let at = start
    for (; at < path.length; at++) {
      const code = path.charCodeAt(at)
      if (code > 127 || ((bits[code] as number) & pattern) === 0) break
    }
    return at
  }

  /** No capitals, no escapes, no trailing slash. */
  isPlain(path: string): boolean {
    const { length } = path
    if (path.charCodeAt(length - 1) === slash) return false
    const { bits } = this
    for (let at = 0; at < length; at++) {
      const code = path.charCodeAt(at)
      if (code > 127 || ((bits[code] as number) & plain) === 0) return false
    }
    return true
  }

  /** Whether a decoded value matches; it may have any characters. */
  accepts(value: string, bit: number): boolean {
    return this.#wholes[Math.log2(bit) - 1]?.test(value) === true
  }

  /** The pattern is one repeated character class, so each character is tested alone. */
  bitOf(pattern: string): number {
    const known = this.#patterns.indexOf(pattern)
    if (known !== -1) return 2 << known
    if (this.#patterns.length === 30)
      throw new Error('the parameters of all routes have more than 30 different patterns')
    const bit = 2 << (this.#patterns.push(pattern) - 1)
    const one = new RegExp(`^(?:${pattern})$`)
    this.#wholes.push(one)
    for (let code = 0; code < 128; code++) {
      const char = String.fromCharCode(code)
      if (char !== '%' && char !== '/' && one.test(char)) this.bits[code] = (this.bits[code] as number) | bit
    }
    return bit
  }
}

/** The path up to a query or fragment. Reserved characters stay escaped; undefined for escapes that are no UTF-8 text. */
function decodedPath(path: string): string | undefined {
  const end = path.slice(1).search(/[?#]/)
  const bare = (end === -1 ? path : path.slice(0, end + 1)).replace(/(?<=.)\/$/, '')
  try {
    // An escaped percent sign stays escaped, so that no value is decoded twice.
    return bare.includes('%') ? decodeURI(bare.replaceAll('%25', '%2525')) : bare
  } catch {
    return undefined
  }
}

/** Lower case, digits and `-._/`. */
const isPlain = (code: number) => /[a-z\d._/-]/.test(String.fromCharCode(code))

function listAt<V>(lists: (V[] | undefined)[], length: number): V[] {
  const list = lists[length] ?? []
  lists[length] = list
  return list
}
