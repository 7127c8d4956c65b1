/** A site whose pages are compared with and without one stored value. */

import { profile } from '../../src/core/declare/profile.ts'
import { documentFeatures } from '../../src/features/builder/site-documents/index.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { content } from '../../src/profiles/content.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages } from '../../src/site-pages/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { sampleSite } from './widget-samples.ts'

export const urlOfSite = 'https://quay.example'

/** Says whether a stored value acts. `silently kept` is a fault: nothing changes, and no answer says so. */
export type Effect = 'drawn' | 'editor only' | 'warning' | 'silently kept'

export interface EffectRow {
  readonly name: string
  /** The kind of document, or the theme, that has the setting. */
  readonly of?: string
  readonly effect: Effect
  readonly note: string
}

const open = (ofProfile: Parameters<typeof createSiteApi>[0]['profile']) =>
  createSiteApi({
    storage: memoryStorage(),
    profile: ofProfile,
    url: urlOfSite,
    clock: () => Date.parse('2026-01-15T12:00:00Z'),
  })

/** A site with the routes of content and of documents. */
export async function openSite() {
  const api = open(profile({ ...content, features: [...content.features, ...documentFeatures] }))
  return { api, ids: await api.site.seed(sampleSite) }
}

type Body = { readonly [name: string]: unknown }

export interface ProofSite {
  readonly close: () => Promise<void>
  readonly id: (key: string) => number
  /** Sends as the administrator, and returns the answer; throws for a refusal. */
  readonly send: (method: 'GET' | 'POST' | 'PUT', path: string, body?: Body) => Promise<Body>
  /** Creates a published document of the builder with this text in it, and returns its id. */
  readonly create: (parts: Body, text?: string) => Promise<number>
  /** Returns a page. The addresses of its style sheets contain their digests, so it differs where one of them does. */
  readonly shown: (path: string) => Promise<string>
  /** Returns the path of a page of the site. */
  readonly addressOf: (document: number) => Promise<string>
  readonly useKit: (id: number) => Promise<readonly string[]>
  readonly themeParts: readonly { readonly theme: string; readonly defaults: { readonly [name: string]: boolean } }[]
}

/** One setting differs on tablets, so that the breakpoints of the kit are in the sheets. */
export const heading = (title: string) => ({
  ...{ id: 'a1b2c3d', elType: 'widget', widgetType: 'heading', elements: [] },
  settings: { title, _padding_tablet: { unit: 'px', top: '1', right: '1', bottom: '1', left: '1' } },
})

/** A site with all routes and its pages. */
export async function openProofSite(): Promise<ProofSite> {
  const api = open(full)
  const ids = await api.site.seed(sampleSite)
  const id = (key: string): number => ids[key] ?? 0
  const pages = createSitePages(api)
  const send: ProofSite['send'] = async (method, path, body = {}) =>
    (await api.call<Body>(method, path, body, { as: id('user.ada') })).data
  const read = async (address: string) => (await pages.fetch(new Request(new URL(address, urlOfSite)))).text()
  return {
    ...{ id, send, shown: read },
    close: () => api.close(),
    create: async (parts, text = 'Words') => {
      const made = await send('POST', '/site-api/v1/documents', {
        ...{ title: 'A document', status: 'publish', elements: [heading(text)] },
        ...parts,
      })
      return Number(made['id'])
    },
    addressOf: async (document) => `/${(await send('GET', `/site-api/v1/documents/${document}`))['slug']}/`,
    // The cast: the documents of features have a kit in this profile.
    useKit: async (kit) => (await api.site.kit.use(kit)).undrawn,
    themeParts: api['~parts'].app.contributions('themeParts'),
  }
}

/** The codes of the warnings of an answer. */
export const warningsOf = (answer: Body): readonly string[] =>
  ((answer['_warnings'] ?? []) as readonly { readonly code: string }[]).map(({ code }) => code)
