/** The search of the docs page, over the routes of the larger profile. */
import { beforeAll, expect, test } from 'vitest'
import type { Stream } from '../../../src/core/declare/result.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { createSearchIndex, type Search } from '../../../src/pages/docs/browser/search-index.ts'
import { docsPage } from '../../../src/pages/docs/page.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'

let search: Search

/** The routes as the script of the page reads them. */
beforeAll(async () => {
  const api = createSiteApi({ storage: memoryStorage(), profile: d2, url: 'https://quay.example' })
  const html = String((docsPage(await api.openapi(), {}).data as Stream).body)
  const routes = html
    .split('<article class="view route"')
    .slice(1)
    .map((article) => {
      const attributeOf = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(article)?.[1] ?? ''
      return {
        id: attributeOf('id'),
        methods: attributeOf('data-methods').split(' '),
        path: attributeOf('data-path'),
        summary: attributeOf('data-summary'),
        group: attributeOf('data-group'),
        args: [...article.matchAll(/ data-name="([^"]+)"/g)].map(([, name = '']) => name),
      }
    })
  expect(routes.length).toBeGreaterThan(140)
  search = createSearchIndex(routes)
})

test.each([
  ['posts', 'getCmsV2Posts'],
  ['list posts', 'getCmsV2Posts'],
  ['create post', 'postCmsV2Posts'],
  ['create a new post', 'postCmsV2Posts'],
  ['update post', 'postCmsV2PostsById'],
  ['edit a post', 'postCmsV2PostsById'],
  ['delete post', 'deleteCmsV2PostsById'],
  ['trash', 'deleteCmsV2PostsById'],
  ['GET /cms/v2/posts', 'getCmsV2Posts'],
  ['/cms/v2/posts/{id}', 'getCmsV2PostsById'],
  ['/cms/v2/posts/{post_id}', 'getCmsV2PostsById'],
  ['delete cms/v2/posts', 'deleteCmsV2PostsById'],
  ['revisions', 'getCmsV2PostsByParentRevisions'],
  ['save an autosave', 'postCmsV2PostsByIdAutosaves'],
  ['users me', 'getCmsV2UsersMe'],
  ['users me', 'getCmsV2UsersMe'],
  ['batch', 'postBatchV1'],
  ['oembed', 'getOembed10Embed'],
  ['note', 'getBuilderV1Notes'],
  ['create note', 'postBuilderV1Notes'],
  ['form submissions', 'getBuilderV1FormSubmissions'],
  ['export csv', 'getBuilderV1FormSubmissionsExport'],
  ['favorites', 'getBuilderV1Favorites'],
  ['taxonomies', 'getCmsV2Taxonomies'],
  ['global colors', 'getBuilderV1GlobalsColors'],
  ['license status', 'getBuilderProV1LicenseGetLicenseStatus'],
])('%s finds %s first', (query, id) => {
  expect(search(query)[0]?.route.id).toBe(id)
})

test.each([
  ['psots', 'getCmsV2Posts'],
  ['taxonmies', 'getCmsV2Taxonomies'],
  ['revsions', 'getCmsV2PostsByParentRevisions'],
  ['submisions', 'getBuilderV1FormSubmissions'],
])('%s, with a typing error, finds %s', (query, id) => {
  expect(search(query).map(({ route }) => route.id)).toContain(id)
})

test('names of arguments find the routes that have them, and say so', () => {
  const found = search('taxonomy_relation_x categories_exclude')
  expect(found).toEqual([])
  const [first] = search('categories_exclude')
  expect(first).toMatchObject({ route: { id: 'getCmsV2Posts' }, argument: 'categories_exclude' })
  expect(
    search('per_page').every(({ route, argument }) => argument === 'per_page' && route.args.includes('per_page')),
  ).toBe(true)
})

test.each(['xyzzyq', 'nothing holds this', 'posts xyzzyq', '!!!', '', '   '])('%j finds nothing', (query) => {
  expect(search(query)).toEqual([])
})

test('every route is found by its own path and summary', () => {
  const all = search('get').concat(search('post'), search('put'), search('patch'), search('delete'))
  const missed = [...new Set(all.map(({ route }) => route))].filter(({ id, path, summary }) => {
    const [byPath, bySummary] = [search(path), search(summary)]
    return !byPath.some(({ route }) => route.id === id) || !bySummary.slice(0, 8).some(({ route }) => route.id === id)
  })
  expect(missed.map(({ id }) => id)).toEqual([])
})
