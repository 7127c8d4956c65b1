import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { holdBehaviours } from './behaviours.ts'
import { builtApplication, nextStartHost, removeApplication } from './hosts/next-start.ts'
import { holdParity, nextAdditions } from './parity.ts'

// Each setup runs in its own process.
vi.setConfig({ testTimeout: 60_000 })
beforeAll(builtApplication, 300_000)
afterAll(removeApplication)

holdBehaviours(nextStartHost)
holdParity(nextStartHost, nextAdditions)

test('the front page has the Link to the api, and answers rest_route by the api', async () => {
  const host = await nextStartHost.start({ site: 'echo' })
  onTestFinished(() => host.close())
  const page = await host.fetch('/welcome')
  expect(await page.text()).toContain('the host')
  expect(page.headers.get('link')).toContain('<https://quay.example/api/>; rel="service-desc"')
  expect((await host.fetch('/api/')).headers.get('link')).toBe('<https://quay.example/api/>; rel="service-desc"')
  const asked = await host.fetch('/welcome?rest_route=/echo/v1/thing&text=a')
  expect(await asked.json()).toEqual({ text: 'a' })
  expect(asked.headers.get('link')).toBe('<https://quay.example/api/>; rel="service-desc"')
  const body = JSON.stringify({ text: 'b' })
  const sent = await host.fetch('/welcome?rest_route=/echo/v1/thing', {
    ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
  })
  expect(await sent.json()).toEqual({ text: 'b' })
})

test('follows a rewrite of the host', async () => {
  const host = await nextStartHost.start({ site: 'echo' })
  onTestFinished(() => host.close())
  for (const value of ['tide', '%C3%A9%20', 'a%3F%2523b']) {
    expect(await (await host.fetch(`/said/${value}`)).json()).toBe(decodeURIComponent(value))
  }
})
