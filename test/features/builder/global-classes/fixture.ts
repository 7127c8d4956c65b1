/** Creates a site of profile D1 with helpers for its global classes. */
import { expect, onTestFinished } from 'vitest'
import type { Json } from '../../../../src/contract/storage.ts'
import { createTestSite, type Received, type TestSiteOptions } from '../../../support/site.ts'

export const root = '/builder/v1/global-classes'
export const refusalOf = ({ status, body }: Received) => [status, body.code]

export const color = (value: unknown) => ({ color: { $$type: 'color', value } })
export const variant = (props: object = color('#222'), meta: object = {}) => ({
  meta: { breakpoint: 'desktop', state: null, ...meta },
  props,
  custom_css: null as null | { raw: string },
})

export const aClass = (id: string, label = id, more: object = {}) => ({
  ...{ id, type: 'class', label, variants: [variant()] },
  ...more,
})

type Class = ReturnType<typeof aClass>
export const itemsOf = (...classes: Class[]) => Object.fromEntries(classes.map((one) => [one.id, one]))

/** A JSON value for the options of a seed, which bypasses the checks of the routes. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))

/** A request that adds these classes. */
export const adding = (...classes: Class[]) => ({
  changes: { added: classes.map(({ id }) => id), deleted: [] as string[], modified: [] as string[] },
  items: itemsOf(...classes),
  order: classes.map(({ id }) => id),
})

/** A media service that stores files in memory. */
export function memoryMedia() {
  const files = new Map<string, string>()
  return {
    files,
    media: {
      write: async (path: string, bytes: Uint8Array) => {
        files.set(path, new TextDecoder().decode(bytes))
        return `/uploads/${path}`
      },
      read: async () => undefined,
      remove: async (path: string) => void files.delete(path),
      addressOf: (path: string) => `/uploads/${path}`,
    },
  }
}

export async function openSite(options: TestSiteOptions = {}) {
  const { files, media } = memoryMedia()
  const site = await createTestSite({ services: { media }, ...options })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ada = site.as('ada')
  return {
    ...site,
    ada,
    files,
    put: (body: object, send = ada) => send('PUT', root, { body }),
    read: async (context = 'frontend') => (await ada('GET', root, { query: { context } })).body,
    /** Stores elements in a post of the small site. */
    build: async (post: string, elements: unknown, meta: object = {}) => {
      const body = { meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements), ...meta } }
      const response = await ada('POST', `/cms/v2/posts/${site.ids[post]}`, { body })
      expect(response.status).toBe(200)
    },
    elementsOf: async (post: string) => {
      const query = { context: 'edit' }
      return JSON.parse((await ada('GET', `/cms/v2/posts/${site.ids[post]}`, { query })).body.meta._builder_data)
    },
  }
}

export const element = (id: string, classes: string[], elements: object[] = []) => ({
  ...{ id, elType: 'e-div-block', settings: { classes: { $$type: 'classes', value: classes } }, elements },
})
