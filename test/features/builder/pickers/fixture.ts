/** A small site for the pickers, and what they answer without the envelope. */
import { expect, onTestFinished } from 'vitest'
import { createTestSite, type Requester, type TestSiteOptions } from '../../../support/site.ts'

export async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite(options)
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, ada: site.as('ada'), connie: site.as('connie') }
}

export const ask = (send: Requester, kind: string, query: string) => send('GET', `/builder/v1/${kind}`, { query })

/** The items of an answer that has to be a success. */
export async function items(send: Requester, kind: string, query: string) {
  const { status, body } = await ask(send, kind, query)
  expect([query, status, body.success]).toEqual([query, 200, true])
  return body.data.value
}

export async function labels(send: Requester, kind: string, query: string): Promise<string[]> {
  return (await items(send, kind, query)).map(({ label }: { label: string }) => label)
}

/** The one parameter that is refused. */
export async function refused(send: Requester, kind: string, query: string) {
  const { status, body } = await ask(send, kind, query)
  return [status, body.code, Object.keys(body.data?.params ?? {}).join()]
}
