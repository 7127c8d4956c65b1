/** Sends requests to an authorization server: for its metadata (RFC 8414), and with JSON in both directions. */
import type { HttpClient, HttpResponse, HttpSender, OutgoingRequest } from '../http-client/index.ts'
import { OAuthError } from './error.ts'

/** How the server is reached. */
export interface ServerAccess {
  readonly issuer: string
  readonly metadata: string
  /** URLs with http are accepted too. */
  readonly mayBeHttp: boolean
  readonly httpClient: HttpClient & HttpSender
}

interface ServerMetadata {
  /** An endpoint; undefined when the server has none. */
  readonly at: (name: string) => string | undefined
  readonly grants: readonly unknown[]
  /** Authorization responses have the `iss` parameter (RFC 9207). */
  readonly sendsIssuer: boolean
}

export type JsonObject = { readonly [name: string]: unknown }

async function jsonOf(response: Promise<HttpResponse>): Promise<JsonObject> {
  const { status, body } = await response.catch((error: unknown) => {
    throw new OAuthError('failed', 'the server cannot be reached', error)
  })
  const text = new TextDecoder().decode(body)
  if (status >= 400 && status < 500) throw new OAuthError('refused', `the server answered ${status}`, text)
  if (status < 200 || status >= 300) throw new OAuthError('failed', `the server answered ${status}`, text)
  if (text === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed as JsonObject
  } catch {
    // Rejected below.
  }
  throw invalidResponse('its answer is no JSON object')
}

/** Read on every call: connecting is rare, and the metadata may change. */
export async function readMetadata({ httpClient, metadata, issuer, mayBeHttp }: ServerAccess): Promise<ServerMetadata> {
  const members = await jsonOf(httpClient.get(metadata, { accept: 'application/json' }))
  if (members['issuer'] !== issuer) throw invalidResponse('it names another issuer')
  const at = (name: string): string | undefined => {
    const address = members[name]
    if (address === undefined) return undefined
    if (typeof address === 'string' && isAddress(address, mayBeHttp)) return address
    throw invalidResponse(`${name} is no address`)
  }
  const grants = members['grant_types_supported']
  return {
    at,
    grants: Array.isArray(grants) ? grants : [],
    sendsIssuer: members['authorization_response_iss_parameter_supported'] === true,
  }
}

export const send = ({ httpClient }: ServerAccess, address: string, request: OutgoingRequest) =>
  jsonOf(httpClient.send(address, request, { accept: 'application/json' }))

export const invalidResponse = (why: string) => new OAuthError('failed', `the server makes no sense: ${why}`)

export function requiredEndpoint(at: ServerMetadata['at'], name: string): string {
  const address = at(name)
  if (address === undefined) throw invalidResponse(`it has no ${name}`)
  return address
}

export function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? value : undefined
}

export const isAddress = (text: string, mayBeHttp: boolean) =>
  URL.canParse(text) && (mayBeHttp ? ['https:', 'http:'] : ['https:']).includes(new URL(text).protocol)
