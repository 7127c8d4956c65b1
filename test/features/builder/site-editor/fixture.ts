/** Creates a site of profile D2 with templates of the site editor. */
import { expect, onTestFinished } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite, type Received } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

export const root = '/builder/v1/site-editor'

export const template = (
  key: string,
  type: string,
  conditions: readonly string[] = [],
  { status = 'publish', date = '2024-02-20T09:00:00' } = {},
) => ({
  ...{ type: 'builder_library', key, slug: key, title: `The ${key}`, status, author: 'editor', date, content: '' },
  meta: {
    _builder_edit_mode: 'builder',
    _builder_template_type: type,
    _builder_data: `[{"id":"a1b2c3d","elType":"container","settings":{},"elements":[]}]`,
    ...(conditions.length > 0 ? { _builder_conditions: conditions } : {}),
  },
})

export const refusalOf = ({ status, body }: Received) => [status, body.code]
export const blamed = ({ status, body }: Received) => [status, body.code, Object.keys(body.data?.params ?? {})]

export async function openSite(documents: readonly object[] = [], { storage = (opened: Storage) => opened } = {}) {
  let inner: Storage | undefined
  const keep = (opened: Storage) => {
    inner = opened
    return storage(opened)
  }
  const site = await createTestSite({ profile: d2, seed: { ...smallSite, documents }, storage: keep })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const id = (key: string) => site.ids[`document.${key}`] as number
  return { ...site, id, ada: site.as('ada'), storage: inner as Storage }
}
