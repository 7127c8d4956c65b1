/** A site of profile d2, and the remediations of a page as clients list them. */
import { expect, onTestFinished } from 'vitest'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite, type Received, type TestSiteOptions } from '../../../support/site.ts'

export const base = '/a11y/v1'
export const home = 'https://quay.example/'
export const about = 'https://quay.example/about/'
export const refusalOf = ({ status, body }: Received) => [status, body?.code]

export async function openSite({ failures: expected = 0, ...options }: TestSiteOptions & { failures?: number } = {}) {
  const site = await createTestSite({ profile: d2, ...options })
  onTestFinished(async () => {
    expect(site.failures).toHaveLength(expected)
    await site.dispose()
  })
  const ada = site.as('ada')
  const send = (method: string, path: string, body?: object | string) =>
    ada(method, `${base}${path}`, body === undefined ? {} : { body })
  const lists = async (url: string) =>
    (await ada('GET', `${base}/remediation/items`, { query: { url } })).body.data.data as {
      readonly page: readonly Row[]
      readonly global: readonly Row[]
    }
  /** `id:active` of the page's remediations, and `id:active:active_for_page` of global ones. */
  const states = async (url: string) => {
    const { page, global } = await lists(url)
    return [
      page.map(({ id, active }) => `${id}:${active}`),
      global.map(({ id, active, active_for_page: here }) => `${id}:${active}:${here}`),
    ]
  }
  const add = async (url: string, more: object = {}): Promise<number> => {
    const remediation = { type: 'ATTRIBUTE', category: 'A', xpath: '/html/body/img' }
    const body = { url, remediation, rule: 'img_alt_missing', group: 'altText', ...more }
    return (await send('POST', '/remediation/item', body)).body.data.remediation.id
  }
  return { ...site, ada, send, lists, states, add }
}

export interface Row {
  readonly [field: string]: string
}
