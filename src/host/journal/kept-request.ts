/**
 * The part of a request that a recording keeps. By declaration: values of arguments that are secret have a placeholder, arguments that no
 * route declares have none, and of the headers only those of a list are kept.
 */
import type { Args } from '../../core/declare/args.ts'
import type { AnyEndpoint } from '../../core/declare/endpoint.ts'
import type { Incoming } from '../../core/declare/request.ts'
import type { Router } from '../../core/routing/router.ts'
import type { KeptBody } from './lines.ts'

const keptHeaders = [
  ...['accept', 'content-type', 'content-disposition', 'content-md5', 'idempotency-key', 'if-match', 'if-none-match'],
  ...['if-unmodified-since', 'prefer', 'x-http-method-override', 'x-cms-release'],
]

const always = ['_fields', '_embed', '_envelope', '_method']

/** Gives each secret of a recording a placeholder: the same for the same secret, so that a right password stays right. */
class Placeholders {
  readonly #known = new Map<string, string>()

  of(secret: unknown): unknown {
    if (typeof secret !== 'string') return typeof secret === 'object' ? (Array.isArray(secret) ? [] : null) : 0
    if (secret === '') return ''
    const placeholder = this.#known.get(secret) ?? `secret-${this.#known.size + 1}`
    this.#known.set(secret, placeholder)
    return placeholder
  }
}

/** Keeps requests to the routes of one api. */
export class RequestKeeper {
  readonly #router: Router
  readonly #toNeutral: (name: string) => string
  readonly #placeholders = new Placeholders()
  /** Whether the request at hand has sent a secret. */
  hasSecret = false

  constructor(router: Router, toNeutral: (name: string) => string) {
    this.#router = router
    this.#toNeutral = toNeutral
  }

  endpointOf(method: string, path: string): AnyEndpoint | undefined {
    try {
      return this.#router.find(method === 'HEAD' ? 'GET' : method, path)?.routed.endpoint
    } catch {
      return undefined
    }
  }

  /**
   * The names that are secret in an argument of any endpoint of the path, and so in its answers. The answer of a batch has those of the
   * routes that it may call.
   */
  secretsAt(path: string): ReadonlySet<string> {
    const found = this.#router.findAll(path).map(({ routed }) => routed)
    const isBatch = found.some(({ endpoint }) =>
      Object.values(endpoint.args).some(({ holdsRequests }) => holdsRequests),
    )
    const all = isBatch ? this.#router.routes.flatMap(({ endpoints }) => endpoints) : found
    const told = isBatch ? all.filter(({ endpoint }) => endpoint.batch) : all
    return new Set(told.flatMap(({ endpoint, names }) => secretNames(endpoint.args).map((one) => names.toPublic(one))))
  }

  headers(incoming: Incoming): { readonly [name: string]: string } {
    return Object.fromEntries(
      keptHeaders.flatMap((name) => {
        const value = incoming.header(name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }

  pairs(text: string, endpoint: AnyEndpoint | undefined): string {
    if (text === '') return ''
    return text
      .split('&')
      .map((pair) => this.#pair(pair, endpoint))
      .join('&')
  }

  #pair(pair: string, endpoint: AnyEndpoint | undefined): string {
    const [sent = '', ...values] = pair.split('=')
    const name = decoded(sent).split('[', 1)[0] ?? ''
    if (always.includes(name)) return pair
    const arg = ownArg(endpoint, this.#toNeutral(name))
    if (!arg) return `${sent}=`
    if (!arg.isSecret) return pair
    this.hasSecret = true
    return `${sent}=${encodeURIComponent(`${this.#placeholders.of(decoded(values.join('=')))}`)}`
  }

  /** Keeps the members of a JSON body, or the arguments of a call. */
  args(value: unknown, endpoint: AnyEndpoint | undefined): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return endpoint && secretNames(endpoint.args).length === 0 ? value : null
    }
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#arg(name, one, endpoint)]))
  }

  #arg(name: string, value: unknown, endpoint: AnyEndpoint | undefined): unknown {
    const arg = ownArg(endpoint, this.#toNeutral(name))
    if (!arg) return endpoint?.takesAnyBody || endpoint?.takesAnyMembers || always.includes(name) ? value : null
    if (arg.holdsRequests) return Array.isArray(value) ? value.map((one) => this.#request(one)) : null
    if (!arg.isSecret) return value
    if (value === null) return null
    this.hasSecret = true
    return this.#placeholders.of(value)
  }

  /** An item of a batch. */
  #request(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return item
    const { method = 'POST', path, body } = item as { readonly [name: string]: unknown }
    const [bare = '', query = ''] = `${path}`.split('?', 2)
    const endpoint = this.endpointOf(`${method}`.toUpperCase(), bare)
    const kept = query === '' ? bare : `${bare}?${this.pairs(query, endpoint)}`
    return { method, path: kept, ...(body === undefined ? {} : { body: this.args(body, endpoint) }) }
  }

  /** A body of bytes. `keep` writes the bytes beside the recording, and returns the name of their file. */
  body(
    bytes: Uint8Array,
    type: string,
    endpoint: AnyEndpoint | undefined,
    keep: (bytes: Uint8Array) => string,
  ): KeptBody {
    const mayHoldSecret = endpoint === undefined || secretNames(endpoint.args).length > 0
    const text = () => new TextDecoder().decode(bytes)
    if (/x-www-form-urlencoded/i.test(type)) return { text: this.pairs(text(), endpoint) }
    if (type === '' || /json|text\/plain/i.test(type)) {
      try {
        return { json: this.args(JSON.parse(text()), endpoint) }
      } catch {
        return mayHoldSecret ? { leftOut: true } : { text: text() }
      }
    }
    return mayHoldSecret ? { leftOut: true } : { file: keep(bytes) }
  }
}

const secretNames = (args: Args): string[] =>
  Object.entries(args).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []))

const ownArg = (endpoint: AnyEndpoint | undefined, name: string) =>
  endpoint && Object.hasOwn(endpoint.args, name) ? endpoint.args[name] : undefined

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
