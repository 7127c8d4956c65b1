/**
 * The HTTP client for URLs that come from requests or content. It connects to public addresses only, checks every redirect
 * (a defence against SSRF), and enforces limits of size and time.
 */
import ipaddr from 'ipaddr.js'
import type { AppContext } from '../../core/declare/app-context.ts'
import { HttpClientError } from './errors.ts'
import type { OpenBody, OutgoingRequest, RawResponse, Target } from './transport.ts'

export type { OutgoingRequest } from './transport.ts'

/** Reads addresses that others name. */
export interface HttpClient {
  /**
   * Returns the response of the last hop, whatever its status. Rejects with an HttpClientError. No cookie, authorization or
   * referrer is sent.
   */
  get(address: string, options?: RequestOptions): Promise<HttpResponse>
  /**
   * Like `get`, for files: the body is read piece by piece by the caller, who knows how long it may be and closes it. The time
   * limit is for the headers, and again for each piece. Without it, a file is in memory while it is fetched.
   */
  download?(address: string): Promise<HttpDownload>
}

/** A response whose body is still to be read. */
export interface HttpDownload extends Omit<HttpResponse, 'body'>, OpenBody {}

/** Sends to URLs of the host's configuration, never to one of a request. */
interface HttpSender {
  /** Sends a request with a body. Redirects are returned, not followed. */
  send(address: string, request: OutgoingRequest, options?: RequestOptions): Promise<HttpResponse>
}

export interface RequestOptions {
  /** The `Accept` header. Default: anything. */
  readonly accept?: string
  /** The largest body of the response. Default: the limit of the client, which also bounds it. */
  readonly maxBytes?: number
  /** How a longer body is treated: `fail` rejects, `cut` truncates. Default: `fail`. */
  readonly overflow?: 'fail' | 'cut'
}

export interface HttpResponse {
  /** The URL of the response, after redirects. */
  readonly url: string
  readonly status: number
  /** The `Content-Type` header; empty if absent. */
  readonly contentType: string
  /** The `Retry-After` header as it came. */
  readonly retryAfter?: string
  readonly body: Uint8Array
}

interface HttpLimits {
  /** The largest body of a response. Default: 1 MiB. */
  readonly bodyBytes: number
  /** The largest head of a response. Default: 16 KiB. */
  readonly headerBytes: number
  /** The time of a whole call in milliseconds; it includes name lookups, redirects, headers and body. Default: 5000. */
  readonly timeoutMs: number
  /** The most redirects that a call follows. Default: 3. */
  readonly redirects: number
}

/** The options of `createHttpClient`. */
export interface HttpClientOptions {
  /** Bounds each call. Default: the limits below. */
  readonly limits?: Partial<HttpLimits>
  /** Resolves a name to all its addresses. Default: the resolver of the machine. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /**
   * Allows an address and port that would be rejected: a service in the host's own network, or a test server. Anyone who can
   * make the service fetch a URL can reach these addresses. Default: public addresses only.
   */
  readonly allow?: (address: string, port: number) => boolean
  /** Called before each connection with the addresses that it may use. */
  readonly onConnect?: (addresses: readonly string[], port: number) => void
}

const defaultLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  timeoutMs: 5000,
  redirects: 3,
}

/** The HTTP client of a site. */
export const httpClientOf = ({ services }: Pick<AppContext, 'services'>): HttpClient =>
  services['outbound'] as HttpClient

/** The service as a sender; a client of the host may only read. */
export const httpSenderOf = ({ services }: Pick<AppContext, 'services'>): HttpSender | undefined => {
  const outbound = services['outbound'] as HttpClient & Partial<HttpSender>
  // The cast: it has the member.
  return typeof outbound.send === 'function' ? (outbound as HttpSender) : undefined
}

/**
 * Creates the default of `services.outbound`: it refuses addresses that are not public, and long or slow responses.
 *
 * ```ts
 * import { createHttpClient } from 'site-api'
 *
 * const client = createHttpClient({ limits: { timeoutMs: 3000 } })
 * export const { status, body } = await client.get('https://example.com/', { maxBytes: 100_000 })
 * ```
 */
export function createHttpClient({
  limits: limitOptions,
  resolve = resolveName,
  ...rules
}: HttpClientOptions = {}): HttpClient & HttpSender {
  const limits = { ...defaultLimits, ...limitOptions }
  const context: ClientContext = { limits, resolve, rules }
  return {
    get: (address, options = {}) =>
      withTimeout(limits.timeoutMs, async (signal) => {
        const { response, url } = await getFollowing(context, address, options, signal)
        return responseView(response, url)
      }),
    download: (address) =>
      withTimeout(limits.timeoutMs, async (signal) => {
        const options = { idleMs: limits.timeoutMs }
        const { response, url } = await getFollowing(context, address, options, signal)
        const { body: _empty, ...head } = responseView(response, url)
        // A redirect without an end has no body.
        return { ...head, ...(response.open ?? noBody) }
      }),
    send: (address, request, options = {}) =>
      withTimeout(limits.timeoutMs, async (signal) => {
        const url = urlOf(address)
        return responseView(await sendOnce(context, url, options, signal, request), url)
      }),
  }
}

interface ClientContext {
  readonly limits: HttpLimits
  readonly resolve: NonNullable<HttpClientOptions['resolve']>
  readonly rules: Pick<HttpClientOptions, 'allow' | 'onConnect'>
}

const noBody: OpenBody = {
  chunks: {
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  },
  close: () => undefined,
}

interface SentOptions extends RequestOptions {
  readonly idleMs?: number
}

async function getFollowing(
  context: ClientContext,
  start: string,
  options: SentOptions,
  signal: AbortSignal,
): Promise<{ readonly response: RawResponse; readonly url: URL }> {
  let url = urlOf(start)
  for (let redirects = 0; ; redirects++) {
    const response = await sendOnce(context, url, options, signal)
    const next = redirectOf(response, url)
    if (next === undefined) return { response, url }
    if (redirects === context.limits.redirects) throw refused('there are too many redirects')
    url = next
  }
}

async function sendOnce(
  context: ClientContext,
  url: URL,
  options: SentOptions,
  signal: AbortSignal,
  request?: OutgoingRequest,
): Promise<RawResponse> {
  const { limits, rules } = context
  const target = await checkedTarget(context, url)
  // The time limit may have passed during the name lookup: then no connection is opened.
  signal.throwIfAborted()
  const { sendRequest } = await import('./transport.ts').catch(withoutSockets)
  signal.throwIfAborted()
  rules.onConnect?.(target.addresses, target.port)
  return sendRequest(target, {
    accept: options.accept ?? '*/*',
    overflow: options.overflow ?? 'fail',
    bodyBytes: Math.min(options.maxBytes ?? limits.bodyBytes, limits.bodyBytes),
    headerBytes: limits.headerBytes,
    signal,
    ...(request ? { request } : {}),
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
  })
}

/** Rejects before a connection is opened. All addresses of the name must be allowed, not only the one that is used. */
async function checkedTarget({ resolve, rules }: ClientContext, url: URL): Promise<Target> {
  checkUrl(url)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const isUsualPort = port === 80 || port === 443
  if (!isUsualPort && !rules.allow) throw refused('the port is neither 80 nor 443')
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isAddress(hostname) ? [hostname] : await addressesOf(resolve, hostname)
  const isAllowed = (address: string) =>
    (isUsualPort && isPublicAddress(address)) || rules.allow?.(address, port) === true
  if (!addresses.every(isAllowed)) throw refused('it does not lead to public addresses alone')
  return { url, port, addresses }
}

async function addressesOf(resolve: ClientContext['resolve'], hostname: string): Promise<readonly string[]> {
  const addresses = await resolve(hostname).catch((error: unknown) => {
    if (error instanceof HttpClientError) throw error
    throw new HttpClientError('failed', 'the name is not known', error)
  })
  if (addresses.length === 0) throw new HttpClientError('failed', 'the name has no address')
  return addresses
}

/** Rejects after the time limit even if the server never responds. */
function withTimeout<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  // A timer complements the signal, because a name lookup cannot be aborted.
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new HttpClientError('timeout', 'the answer took too long'))
    }, timeoutMs)
  })
  return Promise.race([work(controller.signal), deadline]).finally(() => clearTimeout(timer))
}

const refused = (why: string) => new HttpClientError('refused', why)

async function resolveName(hostname: string): Promise<readonly string[]> {
  const { lookup } = await import('node:dns/promises').catch(withoutSockets)
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

/** Edge runtimes have neither name lookups nor sockets: there, nothing could hold a request to the checked addresses. */
function withoutSockets(cause: unknown): never {
  throw new HttpClientError('unsupported', 'this runtime has no sockets; give the option services.outbound', cause)
}

/** `URL` normalises IPv4 addresses in decimal, hexadecimal, octal or short form. */
function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw refused('it is no whole address')
  return new URL(text)
}

function checkUrl({ protocol, username, password }: URL): void {
  if (protocol !== 'http:' && protocol !== 'https:') throw refused('the scheme is neither http nor https')
  if (username !== '' || password !== '') throw refused('the address holds credentials')
}

function redirectOf({ status, location }: RawResponse, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  if (!URL.canParse(location, from)) throw new HttpClientError('failed', 'a redirect leads nowhere')
  return new URL(location, from)
}

const responseView = ({ status, contentType, retryAfter, body }: RawResponse, { href }: URL): HttpResponse => ({
  url: href,
  status,
  contentType,
  ...(retryAfter === undefined ? {} : { retryAfter }),
  body,
})

/** The address of the Azure host agent is in a public range, but is served inside a cloud. */
const cloudInternal: readonly string[] = ['168.63.129.16']

/** Whether a host of a URL, without brackets, is an address and no name. */
const isAddress = (host: string): boolean => ipaddr.isValid(host)

/**
 * True for global unicast addresses only: false for private, loopback, link-local, shared, multicast and reserved ones, and
 * for those that embed an IPv4 address for a translator (NAT64, 6to4, Teredo). A mapped IPv4 address counts as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || cloudInternal.includes(address.toString())) return false
  // ipaddr.js 2.5 classifies `::7f00:1`, an IPv4 address in its oldest IPv6 form, as unicast; global ones are in 2000::/3.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] as number) >> 5 === 1
}
