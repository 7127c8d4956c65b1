/** Creates a test site with the routes of documents, and builders of elements. */
import { expect, onTestFinished } from 'vitest'
import type { SiteApi } from '../../../../src/host/create-site-api.ts'
import { withDocuments } from '../../../support/documents-profile.ts'
import { createTestSite, type Received, type TestSiteOptions } from '../../../support/site.ts'

export const root = '/site-api/v1/documents'
export const errorOf = ({ status, body }: Received) => [status, body.code]

export const heading = (title: string, more: object = {}) => ({
  ...{ id: 'a1b2c3d', elType: 'widget', widgetType: 'heading', elements: [] },
  ...{ settings: { title }, ...more },
})

export const shown = (elements: readonly { readonly settings: { readonly title?: unknown } }[]) =>
  elements.map(({ settings }) => settings.title)

export async function openSite(options: TestSiteOptions = {}) {
  const opened = await createTestSite({ profile: withDocuments, ...options })
  onTestFinished(async () => {
    expect(opened.failures).toEqual([])
    await opened.dispose()
  })
  // The cast: `TestSite` names the extensions of D2 alone.
  const { documents } = (opened.api as unknown as SiteApi<typeof withDocuments>).site
  const ada = opened.as('ada')
  return {
    ...opened,
    ada,
    documents,
    /** A published component of one heading. */
    component: async (title = 'Card') => {
      const items = [{ uid: `uid-${title}`, title, elements: [atomic(title)] }]
      const { body } = await ada('POST', '/builder/v1/components', { body: { status: 'publish', items } })
      return body.data[`uid-${title}`] as number
    },
    template: async (title: string, type = 'header') => {
      const body = { title, type, content: { 0: heading(title) } }
      const { body: made } = await ada('POST', '/builder/v1/template-library/templates', { body })
      return made.template_id as number
    },
  }
}

export const atomic = (title: string) => ({
  ...{ id: '1a2b3c4', elType: 'widget', widgetType: 'e-heading', elements: [] },
  settings: { title: { $$type: 'string', value: title } },
})
