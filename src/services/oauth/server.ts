/** Reaches an authorization server with the HTTP client of the site. */
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpResponse,
  type OutgoingRequest,
} from '../http-client/index.ts'
import { OAuthError } from './error.ts'

/** All methods reject with an OAuthError; they return the body of a response that has a status of success. */
export interface ServerAccess {
  get(address: string): Promise<string>
  send(address: string, request: OutgoingRequest): Promise<string>
}

const json = { accept: 'application/json' }

export function createServerAccess(allow: HttpClientOptions['allow']): ServerAccess {
  const client = createHttpClient(allow ? { allow } : {})
  return {
    get: (address) => bodyOf(client.get(address, json)),
    send: (address, request) => bodyOf(client.send(address, request, json)),
  }
}

async function bodyOf(response: Promise<HttpResponse>): Promise<string> {
  const { status, body } = await response.catch((error: unknown) => {
    throw new OAuthError('failed', 'the server cannot be reached', error)
  })
  const text = new TextDecoder().decode(body)
  if (status >= 400 && status < 500) throw new OAuthError('refused', `the server answered ${status}`, text)
  if (status < 200 || status >= 300) throw new OAuthError('failed', `the server answered ${status}`, text)
  return text
}

export const isAddress = (text: string, mayBeHttp: boolean) =>
  URL.canParse(text) && (mayBeHttp ? ['https:', 'http:'] : ['https:']).includes(new URL(text).protocol)
