/** Sends requests to the interface as an administrator or as a visitor. */
import type { Parsed } from '../support/parsed.ts'
import type { Site } from './site.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Parsed
}

/** A path below `wp/v2`. */
export async function ask({ origin }: Site, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${origin}/wp-json/wp/v2${path}`, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export const authorization = ({ login }: Site): string =>
  `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`

/** A body makes it a POST. */
export const asUser = (
  site: Site,
  body?: unknown,
  {
    headers = {},
    ...init
  }: Omit<RequestInit, 'headers'> & { readonly headers?: { readonly [name: string]: string } } = {},
): RequestInit => ({
  ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  ...init,
  headers: { Authorization: authorization(site), 'Content-Type': 'application/json', ...headers },
})
