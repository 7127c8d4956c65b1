/** The consent page works in every host, whatever the host does with bodies and headers. */
import { expect } from 'vitest'
import { hiddenIn, password, request } from '../../support/password-site.ts'
import { basic } from '../../support/site.ts'
import { siteUrl } from '../sites.ts'
import { ask, type Behaviour } from './behaviour.ts'

type Values = { readonly [name: string]: string }

const address = (query: Values = request) => `/api/authorize?${new URLSearchParams(query)}`
const form = (values: Values, origin = siteUrl): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
  body: new URLSearchParams(values).toString(),
})
const signIn = { ...request, decision: 'sign-in', login: 'ada', password }

/** Checks that other users and other pages cannot use the page. */
function expectPage({ headers, body }: { readonly headers: Headers; readonly body: unknown }): void {
  expect(headers.get('content-type')?.toLowerCase()).toBe('text/html; charset=utf-8')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(String(body)).toMatch(/^<!doctype html>/)
}

export const consent: readonly Behaviour[] = [
  {
    name: 'an application signs in with the password from the consent page',
    run: async (host) => {
      const first = await ask(host, address())
      expect(first.status).toBe(200)
      expectPage(first)
      const asked = await ask(host, '/api/authorize', form({ ...hiddenIn(first), ...signIn }))
      expect(asked.status).toBe(200)
      expectPage(asked)
      const { status, headers } = await ask(host, '/api/authorize', form({ ...hiddenIn(asked), decision: 'approve' }))
      expect(status).toBe(303)
      const sent = new URL(headers.get('location') ?? '').searchParams
      const authorization = basic(sent.get('user_login') ?? '', sent.get('password') ?? '')
      expect((await ask(host, '/api/echo/v1/thing?text=a', { headers: { authorization } })).status).toBe(200)
    },
  },
  {
    name: 'a form of another page, and one without a grant, create no password',
    run: async (host) => {
      const asked = await ask(host, '/api/authorize', form(signIn))
      const approval = { ...hiddenIn(asked), decision: 'approve' }
      for (const sent of [form(approval, 'https://evil.example'), form({ ...approval, grant: '' })]) {
        const answer = await ask(host, '/api/authorize', sent)
        expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
        expectPage(answer)
      }
    },
  },
  {
    name: 'an unsafe return address is rejected with a page',
    run: async (host) => {
      for (const success_url of ['javascript:alert(1)', '//evil.example', 'http://evil.example', 'unlisted://x']) {
        const shown = await ask(host, address({ ...request, success_url }))
        expect(shown.status).toBe(400)
        expectPage(shown)
        const sent = await ask(host, '/api/authorize', form({ ...signIn, success_url }))
        expect(sent.status).toBe(400)
      }
    },
  },
]
