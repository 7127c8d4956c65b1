/** Code of a host against the published types: compiled by the package check, never run. */
import {
  anyone,
  args,
  contentType,
  createSiteApi,
  d1,
  d2,
  digits,
  endpoint,
  type Full,
  feature,
  full,
  isApiError,
  profile,
  responses,
  type SiteApi,
} from 'site-api'
import type { Client } from 'site-api/client'
import { memoryStorage } from 'site-api/storage/memory'
import { postgresStorage } from 'site-api/storage/postgres'
import { sqliteStorage } from 'site-api/storage/sqlite'

declare module 'site-api' {
  interface EventPayloads {
    'magazine.printed': { readonly id: number }
  }
}

const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
const others: readonly SiteApi[] = [
  createSiteApi({ storage: sqliteStorage('site.db', { durability: 'normal' }), profile: d2 }),
  createSiteApi({ storage: postgresStorage('postgres://localhost/site'), profile: d2 }),
]

// @ts-expect-error there is no such route
api.call('GET', '/cms/v2/postz')
// @ts-expect-error a number
api.call('GET', '/cms/v2/posts', { per_page: 'x' })
api.call('GET', '/cms/v2/posts/{id}', { id: 1 }).then(({ data }) => data.title.rendered.trim())
api.call<number>('GET', `/cms/v2/${'posts' as string}`)
const place: string = '/tides'
// @ts-expect-error clients could call any path
endpoint({ path: place, methods: ['GET'], args: {}, permission: anyone, handler: () => null })
const base: string = 'recipes'
// @ts-expect-error clients could call any path
contentType({ name: 'recipe', labels: { singular: 'Recipe', plural: 'Recipes' }, restBase: base, supports: [] })
export const written = (client: Client<Full>) => client.post('/cms/v2/posts', { title: { raw: 'a' }, content: 'b' })
// @ts-expect-error a title is a text
export const wrong = (client: Client<Full>) => client.post('/cms/v2/posts', { title: 42 })

api.on('post.published', ({ post }) => post.title.toUpperCase())
api.on('user.created', ({ id }) => id.toFixed())
api.on('magazine.printed', ({ id }) => id.toFixed())
// @ts-expect-error there is no such event
api.on('nobody.knows', () => undefined)
// @ts-expect-error a file has a name
sqliteStorage(1)

// @ts-expect-error no such service: the network would stay open
createSiteApi({ storage: memoryStorage(), profile: d1, services: { outbond: { get: () => Promise.reject() } } })
// @ts-expect-error d1 has no form submissions
export const submissions = api.site.submissions
export const form = createSiteApi({ storage: memoryStorage(), profile: d2 }).site.submissions.form(1, 'a')

/** A feature and a profile of the host, which lose no type on their way. */
const tide = endpoint({
  path: `/tides/${digits('id')}`,
  methods: ['GET'],
  args: { id: args.required(args.int()), place: args.oneOf(['quay', 'reef']) },
  permission: anyone,
  responses: { 200: responses.fields({ high: args.int() }) },
  handler: ({ args: { id, place } }) => ({ high: id + (place === 'quay' ? 1 : 0) }),
})
const tides = feature('tides', 'tides/v1', [tide], {
  listeners: { 'post.published': ({ post }) => void post.title.at(0) },
})
export const harbour = profile({ name: 'harbour', gmtOffset: 'text', features: [...d1.features, tides] })

export async function statusOf(): Promise<number> {
  try {
    return (await api.call('GET', '/cms/v2/posts', { per_page: 5 })).status
  } catch (error) {
    return isApiError(error) ? error.status : 500
  }
}

export const sites = others.map(({ site }) => site.users)

/** A module that a host exports for its other modules. */
export const whole = createSiteApi({ storage: memoryStorage(), profile: full })
export const {
  accessibility,
  comments,
  media,
  options,
  passwords,
  submissions: forms,
  templates,
  terms,
  users,
} = whole.site
export const { export: exportSite, import: importSite, seed } = whole.site
export const imported = (file: AsyncIterable<Uint8Array>) => importSite(file)
export const { files, render } = whole
