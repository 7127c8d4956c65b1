/** Creates a test site with requests to the component routes, and builders of elements. */
import { expect, onTestFinished } from 'vitest'
import { createTestSite, type Received, type TestSiteOptions } from '../../../support/site.ts'
import { memoryMedia } from '../global-classes/fixture.ts'

export const root = '/builder/v1/components'
export const errorOf = ({ status, body }: Received) => [status, body.code]

let itemCount = 0

export const heading = (settings: object = {}) => ({
  id: '1a2b3c4',
  elType: 'widget',
  widgetType: 'e-heading',
  settings,
  elements: [],
})
export const box = (elements: object[], more: object = {}) => ({
  id: '9f8e7d6',
  elType: 'e-div-block',
  settings: {},
  elements,
  ...more,
})
/** An instance of another component, by id or uid. */
export const instance = (component: unknown) => ({
  id: '5c5c5c5',
  elType: 'widget',
  widgetType: 'e-component',
  elements: [],
  settings: {
    component_instance: {
      $$type: 'component-instance',
      value: { component_id: { $$type: 'number', value: component }, overrides: [] },
    },
  },
})
export const item = (more: object = {}) => {
  itemCount++
  return { uid: `uid-${itemCount}`, title: `Card ${itemCount}`, elements: [box([heading()])], ...more }
}

export async function openSite(options: TestSiteOptions = {}) {
  const { files, media } = memoryMedia()
  const site = await createTestSite({ services: { media }, ...options })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  const post = (action: string, body: unknown, send = ada) => send('POST', `${root}${action}`, { body })
  return {
    ...site,
    ada,
    files,
    post,
    create: async (more: object = {}, status = 'publish'): Promise<number> => {
      const response = await post('', { status, items: [item(more)] })
      expect([response.status, response.body]).toEqual([201, expect.anything()])
      return Object.values(response.body.data)[0] as number
    },
    list: async (send = ada) => (await send('GET', root)).body.data,
    /** A second administrator. */
    promoteEdith: async () => {
      await site.api.site.users.update(site.ids['user.editor'] ?? 0, { roles: ['administrator'] })
      return site.as('edith')
    },
  }
}
