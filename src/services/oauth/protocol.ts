/** Lets the library speak with an authorization server, and bears with servers that are nearly right. */
import { type AuthorizationServer, allowInsecureRequests, customFetch, processDiscoveryResponse } from 'oauth4webapi'
import type { OAuthContext } from './types.ts'

interface SentByLibrary {
  readonly method: 'POST'
  readonly body: URLSearchParams | string
  readonly headers: { readonly [name: string]: string }
}

/** Read on every call: connecting is rare, and the metadata may change. */
export async function readMetadata({ server, metadata, issuer }: OAuthContext): Promise<AuthorizationServer> {
  const found = await processDiscoveryResponse(new URL(issuer), responseOf(await server.get(metadata)))
  // The library takes an issuer with and without a slash at its end for the same.
  if (found.issuer !== issuer) throw new Error('it names another issuer')
  return found
}

/** The options of the library's requests. */
export const requestOptions = ({ server, mayBeHttp }: OAuthContext) => ({
  [customFetch]: async (address: string, { method, body, headers }: SentByLibrary) => {
    const request = { method, body: String(body), contentType: headers['content-type'] ?? '' }
    return responseOf(await server.send(address, request))
  },
  [allowInsecureRequests]: mayBeHttp,
})

/** Members that servers forget. */
const assumed = { token_type: 'Bearer', client_secret_expires_at: 0 }

/** The response for the library, which is stricter than servers are: members that say nothing are left out. */
export function responseOf(text: string): Response {
  const members = Object.entries(text === '' ? {} : objectIn(text)).filter(([name, value]) => isUsed(name, value))
  return Response.json({ ...assumed, ...Object.fromEntries(members) })
}

/** No ID token is used: a connection has no interest in who has agreed. */
const isUsed = (name: string, value: unknown): boolean =>
  name !== 'id_token' && value !== null && value !== '' && !(typeof value === 'string' && value.includes('\0'))

function objectIn(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // Rejected below: the message of the parser would quote the text.
  }
  throw new Error('its answer is no JSON object')
}
