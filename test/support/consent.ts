/** A site with a user who has a password, and the requests of a browser to its consent page. */

import { expect } from 'vitest'
import type { Storage } from '../../src/contract/storage.ts'
import { password, request, siteWithPassword } from './password-site.ts'
import { baseUrl, createTestSite, type Received, type TestSite, type TestSiteOptions } from './site.ts'

type Values = { readonly [name: string]: string }

export interface ConsentSite extends TestSite {
  /** Opens the page as an application makes the browser open it. */
  open(query?: Values, headers?: Values): Promise<Received>
  /** Posts a form as a browser does; undefined values are omitted. */
  post(values: { readonly [name: string]: string | undefined }, headers?: Values): Promise<Received>
  /** Signs ada in and returns the page with the question. */
  question(asked?: Values): Promise<Received>
  /** Lists the names of all application passwords of a user, except the one of the seed. */
  letIn(login?: string): Promise<string[]>
}

export async function openConsent(options: TestSiteOptions = {}): Promise<ConsentSite> {
  const site = await createTestSite({ seed: siteWithPassword, ...options })
  const open: ConsentSite['open'] = (query = request, headers = {}) =>
    site.visitor('GET', '/authorize', { query, headers })
  const post: ConsentSite['post'] = (values, headers = {}) => {
    const sent = Object.entries(values).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    )
    return site.visitor('POST', '/authorize', {
      body: new URLSearchParams(sent).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromThePage, ...headers },
    })
  }
  const question: ConsentSite['question'] = (asked = request) =>
    post({ ...asked, decision: 'sign-in', login: 'ada', password })
  const letIn: ConsentSite['letIn'] = async (login = 'ada') => {
    const user = await site.api.site.users.find({ login })
    const listed = await site.api.site.passwords.list(user?.id ?? 0)
    return listed.map(({ name }) => name).filter((name) => name !== 'Seed')
  }
  return { ...site, open, post, question, letIn }
}

/** The headers that a browser sends with a form of the page itself. */
export const fromThePage = {
  origin: baseUrl,
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
}

/** An HTML page that cannot be framed, cached or read by another origin, and that runs no script. */
export function expectPage({ headers, body }: Received): void {
  expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action [^;]+; base-uri 'none'; frame-/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(body).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(body).not.toMatch(/<script|\son\w+=|style="/)
}

/** A limit of one attempt for each login; the next one has to wait seven seconds. */
export function onceForEach() {
  const seen = new Set<string>()
  return {
    take: (key: string) => {
      if (seen.has(key)) return 7
      seen.add(key)
      return 0
    },
  }
}

/** Calls `see` with each query to the user store. */
export const watched = (inner: Storage, see: (query: object) => void): Storage =>
  new Proxy(inner, {
    get(target, name) {
      if (name !== 'users') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return {
        ...target.users,
        query: (query: Parameters<Storage['users']['query']>[0]) => {
          see(query)
          return target.users.query(query)
        },
      }
    },
  })
