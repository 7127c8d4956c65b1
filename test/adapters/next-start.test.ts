import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { holdBehaviours } from './behaviours.ts'
import { builtApplication, nextStartHost, removeApplication } from './hosts/next-start.ts'
import { holdParity, nextAdditions } from './parity.ts'

// Each setup is a process of its own.
vi.setConfig({ testTimeout: 60_000 })
beforeAll(builtApplication, 300_000)
afterAll(removeApplication)

holdBehaviours(nextStartHost)
holdParity(nextStartHost, nextAdditions)

test('follows a rewrite of the host', async () => {
  const host = await nextStartHost.start({ site: 'echo' })
  onTestFinished(() => host.close())
  for (const value of ['tide', '%C3%A9%20', 'a%3F%2523b']) {
    expect(await (await host.fetch(`/said/${value}`)).json()).toBe(decodeURIComponent(value))
  }
})
