/** Creates a test site of profile D1 with requests to the variable routes. */
import { expect, onTestFinished } from 'vitest'
import type { Json } from '../../../../src/contract/storage.ts'
import { createTestSite, type Received, type TestSiteOptions } from '../../../support/site.ts'

export const root = '/builder/v1/variables'
export const color = { type: 'global-color-variable', label: 'sea', value: '#2F6B4F' }
export const now = '2024-06-15 12:00:00'
export const anId = expect.stringMatching(/^e-gv-[0-9a-f]{7}$/)

export const errorOf = ({ status, body }: Received) => [status, body.code]
export const detailCodeOf = ({ status, body }: Received, name: string) => [
  status,
  body.code,
  body.data.details[name]?.code,
]

export async function openSite(options: TestSiteOptions = {}) {
  const site = await createTestSite(options)
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const post = (action: string, body: unknown) => ada('POST', `${root}/${action}`, { body })
  return {
    ...site,
    post,
    list: async () => (await ada('GET', `${root}/list`)).body.data,
    create: async (values: object = {}) =>
      (await post('create', { ...color, ...values })).body.data.variable.id as string,
    batch: (watermark: unknown, operations: unknown) => post('batch', { watermark, operations }),
  }
}

/** Writes `count` variables into the kit directly, more than one request may create. */
export async function store(
  site: { api: { site: { options: { write(values: { [name: string]: Json }): Promise<unknown> } } } },
  count: number,
) {
  const list = Array.from({ length: count }, (_, index) => ({
    id: `e-gv-${String(index).padStart(7, '0')}`,
    type: color.type,
    label: `tone-${index}`,
    value: '#000',
    order: index + 1,
    changedAt: 1,
  }))
  await site.api.site.options.write({ builder_kit_variables: { watermark: 1, list } })
}
