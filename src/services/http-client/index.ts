/**
 * The one way out: every request that the service sends to an address somebody else has named goes through here. It
 * reaches public addresses only, looks at each redirect anew, and ends within its bounds of size and time.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AppContext } from '../../core/declare/app-context.ts'
import { isPublicAddress } from './addresses.ts'
import { HttpClientError } from './errors.ts'
import { type RawResponse, type Sending, sendRequest, type Target } from './transport.ts'

export type { Sending } from './transport.ts'

export interface HttpClient {
  /**
   * The answer of the last hop, whatever its status. Rejects with an OutboundError. Nothing of the caller is sent along:
   * no cookie, no authorization, no referer.
   */
  get(address: string, options?: RequestOptions): Promise<HttpResponse>
}

/** For services that talk to an address which the host has named, never a caller. */
export interface Sender {
  /** Hands something over. A redirect is an answer like any other: what is sent goes to the address that is named alone. */
  send(address: string, sending: Sending, options?: RequestOptions): Promise<HttpResponse>
}

export interface RequestOptions {
  /** The `Accept` header. Default: anything. */
  readonly accept?: string
  /** Below the limit of the service. */
  readonly maxBytes?: number
  /** What happens to a longer body: the request fails, or what fits is taken. Default: it fails. */
  readonly overflow?: 'fail' | 'cut'
}

export interface HttpResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly status: number
  /** As sent; empty when it was not. */
  readonly contentType: string
  readonly body: Uint8Array
}

export interface HttpLimits {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** For everything together: names, redirects, headers and body. */
  readonly timeoutMs: number
  readonly redirects: number
}

export interface HttpClientOptions {
  readonly limits?: Partial<HttpLimits>
  /** All addresses of a name. Default: as the machine resolves it. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /**
   * Lets an address and port through that would be refused: a service in the host's own network, a server of a test.
   * Whoever may name addresses can reach what is let through here.
   */
  readonly allow?: (address: string, port: number) => boolean
  /** Told before each connection, with the addresses it may go to. */
  readonly onConnect?: (addresses: readonly string[], port: number) => void
}

const defaultLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  timeoutMs: 5000,
  redirects: 3,
}

/** The one that a site uses. */
export const httpClientOf = ({ services }: Pick<AppContext, 'services'>): HttpClient =>
  services['outbound'] as HttpClient

export function createHttpClient({
  limits: given,
  resolve = resolveName,
  ...rules
}: HttpClientOptions = {}): HttpClient & Sender {
  const limits = { ...defaultLimits, ...given }

  async function follow(start: string, options: RequestOptions, signal: AbortSignal): Promise<HttpResponse> {
    let url = urlOf(start)
    for (let redirects = 0; ; redirects++) {
      const answer = await once(url, options, signal)
      const next = nextOf(answer, url)
      if (next === undefined) return answerOf(answer, url)
      if (redirects === limits.redirects) throw refused('there are too many redirects')
      url = next
    }
  }

  async function once(url: URL, options: RequestOptions, signal: AbortSignal, sending?: Sending): Promise<RawResponse> {
    const target = await vetted(url)
    // The time may have run out while a name was looked up: then nothing is opened any more.
    signal.throwIfAborted()
    rules.onConnect?.(target.addresses, target.port)
    return sendRequest(target, {
      accept: options.accept ?? '*/*',
      overflow: options.overflow ?? 'fail',
      bodyBytes: Math.min(options.maxBytes ?? limits.bodyBytes, limits.bodyBytes),
      headerBytes: limits.headerBytes,
      signal,
      ...(sending ? { sending } : {}),
    })
  }

  /** Throws before anything is opened. Each address that the name has must pass, not only the one that is used. */
  async function vetted(url: URL): Promise<Target> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('the scheme is neither http nor https')
    if (url.username !== '' || url.password !== '') throw refused('the address holds credentials')
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    const isUsualPort = port === 80 || port === 443
    if (!isUsualPort && !rules.allow) throw refused('the port is neither 80 nor 443')
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(hostname) ? [hostname] : await resolved(hostname)
    const may = (address: string) => (isUsualPort && isPublicAddress(address)) || rules.allow?.(address, port) === true
    if (!addresses.every(may)) throw refused('it does not lead to public addresses alone')
    return { url, port, addresses }
  }

  async function resolved(hostname: string): Promise<readonly string[]> {
    const addresses = await resolve(hostname).catch((error: unknown) => {
      throw new HttpClientError('failed', 'the name is not known', error)
    })
    if (addresses.length === 0) throw new HttpClientError('failed', 'the name has no address')
    return addresses
  }

  /** Ends in time, whatever the other side does. */
  function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    // Beside the signal, because the machine's resolver cannot be stopped, only left behind.
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        stop.abort()
        reject(new HttpClientError('timeout', 'the answer took too long'))
      }, limits.timeoutMs)
    })
    return Promise.race([work(stop.signal), deadline]).finally(() => clearTimeout(timer))
  }

  return {
    get: (address, options = {}) => inTime((signal) => follow(address, options, signal)),
    send: (address, sending, options = {}) =>
      inTime(async (signal) => {
        const url = urlOf(address)
        return answerOf(await once(url, options, signal, sending), url)
      }),
  }
}

const refused = (why: string) => new HttpClientError('refused', why)

const resolveName = async (hostname: string) => (await lookup(hostname, { all: true })).map(({ address }) => address)

/** The parser of the platform gives IPv4 addresses in decimal, hex, octal or short form their usual one. */
function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw refused('it is no whole address')
  return new URL(text)
}

function nextOf({ status, location }: RawResponse, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  if (!URL.canParse(location, from)) throw new HttpClientError('failed', 'a redirect leads nowhere')
  return new URL(location, from)
}

const answerOf = ({ status, contentType, body }: RawResponse, { href }: URL): HttpResponse => ({
  url: href,
  status,
  contentType,
  body,
})
