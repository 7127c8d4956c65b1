/** A site of profile D2 with a page that lists posts and has a search. */
import { expect, onTestFinished } from 'vitest'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite, type Received, type Requester } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'
import type { OpenStorage } from '../../../support/storage.ts'

export const root = '/builder-pro/v1'

const widget = (id: string, widgetType: string, settings: object) => ({
  id,
  elType: 'widget',
  widgetType,
  settings,
  elements: [],
})

const elements = [
  {
    ...{ id: 'c0ntain', elType: 'container', settings: {} },
    elements: [
      widget('loop001', 'loop-grid', { posts_per_page: 3, post_query_orderby: 'post_date' }),
      widget('search1', 'search', { number_of_items: 2 }),
      widget('posts01', 'posts', { classic_posts_per_page: '4', posts_orderby: 'post_title', posts_order: 'asc' }),
      widget('head001', 'heading', { title: 'Hello' }),
    ],
  },
]

const document = (key: string, status: string, more: object = {}) => ({
  ...{ key, slug: key, title: key, status, author: 'author', date: '2020-02-20T09:00:00', content: '', categories: [] },
  meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) },
  ...more,
})

const seed = {
  ...smallSite,
  posts: [
    ...smallSite.posts,
    document('grid', 'publish'),
    document('sketch', 'draft'),
    document('hidden', 'publish', { password: 'sesame' }),
    document('binned', 'trash', { slug: 'binned__trashed', status_before_trash: 'publish' }),
  ],
}

export const refusalOf = ({ status, body }: Received) => [status, body.code]
export const blamed = ({ status, body }: Received) => [status, body.code, Object.keys(body.data?.params ?? {})]
/** The URLs of the listed articles. */
export const listed = (html: string) =>
  [...html.matchAll(/<h3[^>]*><a href="https:\/\/quay\.example\/([^"]*)\/">/g)].map(([, slug]) => slug)

export async function openSite() {
  let storage: OpenStorage['storage'] | undefined
  const site = await createTestSite({
    profile: d2,
    seed,
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const doc = site.ids['post.grid'] as number
  const loop = (more: object = {}, send: Requester = site.visitor) =>
    send('POST', `${root}/refresh-loop`, { body: { post_id: doc, widget_id: 'loop001', widget_filters: {}, ...more } })
  const search = (more: object = {}, send: Requester = site.visitor) =>
    send('POST', `${root}/refresh-search`, { body: { post_id: doc, widget_id: 'search1', ...more } })
  // The cast: the site has opened it.
  return { ...site, storage: storage as OpenStorage['storage'], doc, loop, search }
}
