/** Creates a test site with requests to the pickers, and their items without the envelope. */
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

export const request = (send: Requester, kind: string, query: string) => send('GET', `/builder/v1/${kind}`, { query })

/** The items of a response, which must be a success. */
export async function items(send: Requester, kind: string, query: string) {
  const { status, body } = await request(send, kind, query)
  expect([query, status, body.success]).toEqual([query, 200, true])
  return body.data.value
}

export async function labels(send: Requester, kind: string, query: string): Promise<string[]> {
  return (await items(send, kind, query)).map(({ label }: { label: string }) => label)
}

/** Status, code and the names of the invalid parameters. */
export async function invalidParams(send: Requester, kind: string, query: string) {
  const { status, body } = await request(send, kind, query)
  return [status, body.code, Object.keys(body.data?.params ?? {}).join()]
}
