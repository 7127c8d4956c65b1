/**
 * Twenty tasks on the sample site, each by the tools for routes and by those for tasks. The calls for routes are those of an agent that
 * makes no mistakes and asks for no more members than it needs.
 */
import type { Parsed } from '../../support/parsed.ts'
import type { CountingAgent, SampleSite } from './site.ts'

export interface MeasuredTask {
  readonly name: string
  byRoutes(agent: CountingAgent): Promise<unknown>
  byTasks(agent: CountingAgent): Promise<unknown>
  /** Whether the task is done: judged by the site, or by the last answer. */
  holds(site: SampleSite, answer: Parsed): Promise<boolean> | boolean
}

type Call = CountingAgent['call']

const idOf = async (call: Call, list: 'pages_list' | 'posts_list', slug: string): Promise<number> =>
  (await call(list, { slug: [slug], status: ['publish', 'draft', 'private'], _fields: 'id' })).items[0].id

const says = (answer: unknown, ...words: readonly string[]) =>
  words.every((word) => JSON.stringify(answer).includes(word))

/** Reads each built page and template, and saves those that `change` changes. */
async function changeDocuments(call: Call, change: (text: string) => string): Promise<void> {
  for (const kind of ['page', 'post', 'template', 'component']) {
    const { items } = await call('site_api_documents_list', { kind, per_page: 100, _fields: 'id,is_built' })
    for (const { id, is_built: isBuilt } of items) {
      if (!isBuilt) continue
      const { elements } = await call('site_api_documents_get', { id, _fields: 'elements' })
      const changed = JSON.parse(change(JSON.stringify(elements)))
      if (JSON.stringify(changed) === JSON.stringify(elements)) continue
      await call('site_api_documents_create_by_id', { id, elements: changed, _fields: 'id' })
    }
  }
}

const elementsOf = async ({ call }: SampleSite, id: number): Promise<string> =>
  JSON.stringify((await call('GET', `/site-api/v1/documents/${id}`)).elements)

const bySlug = async ({ call }: SampleSite, kind: 'pages' | 'posts', slug: string): Promise<Parsed> =>
  (await call('GET', `/cms/v2/${kind}`, { slug: [slug], status: 'any', context: 'edit' }))[0]

const text = (id: string, editor: string) => ({
  id,
  elType: 'widget',
  widgetType: 'text-editor',
  settings: { editor },
  elements: [],
})
const heading = (id: string, title: string) => ({
  id,
  elType: 'widget',
  widgetType: 'heading',
  settings: { title, header_size: 'h2' },
  elements: [],
})
const box = (id: string, ...elements: readonly object[]) => ({
  id,
  elType: 'container',
  isInner: false,
  settings: {},
  elements,
})

const reading: readonly MeasuredTask[] = [
  {
    name: 'find what was written about the river',
    byRoutes: async ({ call }) => [
      await call('posts_list', { search: 'river', _fields: 'id,title,link,status' }),
      await call('pages_list', { search: 'river', _fields: 'id,title,link,status' }),
    ],
    byTasks: ({ call }) => call('find', { text: 'river' }),
    holds: (_, answer) => says(answer, 'The river in a dry August', 'How to read the river gauge'),
  },
  {
    name: 'read the article about the flood',
    byRoutes: async ({ call }) => call('posts_list', { slug: ['flood-november'], _fields: 'id,title,content' }),
    byTasks: ({ call }) => call('read', { page: 'flood-november' }),
    holds: (_, answer) => says(answer, 'At 19:05 the gauge showed 1.4.'),
  },
  {
    name: 'say which sections the front page has',
    byRoutes: async ({ call }) => {
      const { page_on_front: id } = await call('settings_get', { _fields: 'page_on_front' })
      return call('site_api_documents_get', { id, _fields: 'elements' })
    },
    byTasks: ({ call }) => call('outline', { page: 'home' }),
    holds: (_, answer) => says(answer, 'From the last letters', 'What we write about'),
  },
  {
    name: 'list the drafts',
    byRoutes: async ({ call }) => [
      await call('posts_list', { status: ['draft'], context: 'edit', per_page: 100, _fields: 'id,title' }),
      await call('pages_list', { status: ['draft'], context: 'edit', per_page: 100, _fields: 'id,title' }),
    ],
    byTasks: ({ call }) => call('find', { status: 'draft' }),
    holds: async ({ call }, answer) => {
      const drafts = await call('GET', '/cms/v2/posts', { status: 'draft', context: 'edit', per_page: 100 })
      return drafts.length > 0 && drafts.every(({ id }: { readonly id: number }) => says(answer, `"id":${id},`))
    },
  },
  {
    name: 'find the pages that show one picture',
    byRoutes: async ({ call }) => {
      const { items } = await call('media_list', { slug: ['valley-morning-picture'], _fields: 'id,source_url' })
      const pages: unknown[] = []
      for (const kind of ['pages', 'posts']) {
        const list = await call(`${kind}_list`, {
          context: 'edit',
          per_page: 100,
          _fields: 'id,content.raw,featured_media',
        })
        pages.push(
          ...list.items.filter((one: Parsed) => says(one, items[0].source_url) || one.featured_media === items[0].id),
        )
      }
      await changeDocuments(
        async (tool, args) => {
          const answer = await call(tool, args)
          if (tool === 'site_api_documents_get' && says(answer, `"id":${items[0].id},"url"`)) pages.push(args)
          return answer
        },
        (source) => source,
      )
      return pages
    },
    byTasks: async ({ call }) => {
      const { files } = await call('media', { text: 'valley in the morning' })
      return call('where_used', { kind: 'media', what: files[0].id })
    },
    holds: async (site, answer) => says(answer, `"id":${(await bySlug(site, 'pages', 'home')).id}`),
  },
  {
    name: 'find the pages with a list of posts',
    byRoutes: async ({ call }) => {
      const found: unknown[] = []
      await changeDocuments(
        async (tool, args) => {
          const answer = await call(tool, args)
          if (tool === 'site_api_documents_get' && says(answer, '"loop-grid"')) found.push(args)
          return answer
        },
        (source) => source,
      )
      return found
    },
    byTasks: ({ call }) => call('where_used', { kind: 'widget', what: 'loop-grid' }),
    holds: async (site, answer) => says(answer, `"id":${(await bySlug(site, 'pages', 'home')).id}`),
  },
]

const writing: readonly MeasuredTask[] = [
  {
    name: 'make a page with three sections',
    async byRoutes({ call }) {
      const elements = [
        box(
          '1a00001',
          heading('1a00002', 'Opening hours'),
          text('1a00003', '<p>Monday to Friday, <strong>nine to five</strong>.</p>'),
        ),
        box('1a00004', heading('1a00005', 'How to find us'), text('1a00006', '<p>Behind the mill.</p>')),
        box('1a00007', heading('1a00008', 'What to bring'), text('1a00009', '<ul><li>Boots</li><li>A lamp</li></ul>')),
      ]
      await call('site_api_documents_create', {
        kind: 'page',
        title: 'Visit us',
        status: 'publish',
        elements,
        _fields: 'id',
      })
    },
    byTasks: ({ call }) =>
      call('write_page', {
        title: 'Visit us',
        status: 'publish',
        markdown:
          '## Opening hours\n\nMonday to Friday, **nine to five**.\n\n## How to find us\n\nBehind the mill.\n\n## What to bring\n\n- Boots\n- A lamp',
      }),
    holds: async (site) =>
      says(
        (await bySlug(site, 'pages', 'visit-us')).content.rendered,
        'Opening hours',
        '<strong>nine to five</strong>',
        'A lamp',
      ),
  },
  {
    name: 'write an article, and publish it',
    async byRoutes({ call }) {
      const content =
        '<!-- cms:paragraph -->\n<p>The plums are ripe, <a href="/journal/">again</a>.</p>\n<!-- /cms:paragraph -->\n\n<!-- cms:heading -->\n<h2 class="cms-block-heading">Two kilos</h2>\n<!-- /cms:heading -->'
      const { id } = await call('posts_create', { title: 'Plums', content, _fields: 'id' })
      await call('posts_update', { id, status: 'publish', _fields: 'id,link' })
    },
    async byTasks({ call }) {
      const { id } = await call('write_page', {
        type: 'posts',
        markdown: '# Plums\n\nThe plums are ripe, [again](/journal/).\n\n## Two kilos',
      })
      await call('publish', { page: id })
    },
    holds: async (site) => {
      const { status, content } = await bySlug(site, 'posts', 'plums')
      return status === 'publish' && says(content.raw, 'Two kilos') && says(content.raw, '/journal/')
    },
  },
  {
    name: 'add a section to the end of a built page',
    async byRoutes({ call }) {
      const id = await idOf(call, 'pages_list', 'subscribe')
      const { elements } = await call('site_api_documents_get', { id, _fields: 'elements' })
      const added = box('1b00001', heading('1b00002', 'By post'), text('1b00003', '<p>Send a card.</p>'))
      await call('site_api_documents_create_by_id', { id, elements: [...elements, added], _fields: 'id' })
    },
    byTasks: ({ call }) =>
      call('write_page', { page: 'subscribe', place: 'end', markdown: '## By post\n\nSend a card.' }),
    holds: async (site) =>
      says((await bySlug(site, 'pages', 'subscribe')).content.rendered, 'By post', 'Send a card.', '212 a month'),
  },
  {
    name: 'change one heading of the front page',
    async byRoutes({ call }) {
      const id = await idOf(call, 'pages_list', 'home')
      const { elements } = await call('site_api_documents_get', { id, _fields: 'elements' })
      const changed = JSON.parse(JSON.stringify(elements).replace('News from a small valley', 'News from our valley'))
      await call('site_api_documents_create_by_id', { id, elements: changed, _fields: 'id' })
    },
    byTasks: ({ call }) =>
      call('change_text', { page: 'home', find: 'News from a small valley', replace: 'News from our valley' }),
    holds: async (site) => says((await bySlug(site, 'pages', 'home')).content.rendered, 'News from our valley'),
  },
  {
    name: 'call "Subscribe" "Join us" everywhere',
    async byRoutes({ call }) {
      const id = await idOf(call, 'pages_list', 'subscribe')
      await call('pages_update', { id, title: 'Join us', _fields: 'id' })
      for (const kind of ['pages', 'posts']) {
        await call(`${kind}_list`, {
          context: 'edit',
          per_page: 100,
          search: 'Subscribe',
          _fields: 'id,title.raw,content.raw',
        })
      }
      await changeDocuments(call, (source) => source.replace(/"Subscribe"/g, '"Join us"'))
    },
    byTasks: ({ call }) => call('change_text', { find: 'Subscribe', replace: 'Join us' }),
    holds: async (site) => {
      const { id, title } = await bySlug(site, 'pages', 'subscribe')
      const documents = await Promise.all(
        [
          ...(await site.call('GET', '/site-api/v1/documents', { kind: 'template' })).map((one: Parsed) => one.id),
          id,
        ].map((one) => elementsOf(site, one)),
      )
      return title.raw === 'Join us' && !says(documents, '\\"Subscribe\\"')
    },
  },
  {
    name: 'change an address in all links',
    byRoutes: async ({ call }) => {
      for (const kind of ['pages', 'posts']) {
        await call(`${kind}_list`, { context: 'edit', per_page: 100, search: '/write/', _fields: 'id,content.raw' })
      }
      await changeDocuments(call, (source) => source.replaceAll('"/write/"', '"/letters/"'))
    },
    byTasks: ({ call }) => call('change_text', { in: 'links', find: '/write/', replace: '/letters/' }),
    holds: async (site) => {
      const ids = (await site.call('GET', '/site-api/v1/documents', { kind: 'template' })).map((one: Parsed) => one.id)
      const documents = await Promise.all(ids.map((id: number) => elementsOf(site, id)))
      return says(documents, '/letters/') && !says(documents, '/write/')
    },
  },
  {
    name: 'change the accent color everywhere',
    byRoutes: async ({ call }) => {
      await call('builder_globals_colors_list')
      await call('builder_globals_colors_create', { id: 'accent', title: 'Accent', value: '#0a7f3f' })
    },
    byTasks: ({ call }) => call('change_style', { from: 'Accent', to: '#0a7f3f' }),
    holds: async ({ call }) => (await call('GET', '/builder/v1/globals/colors/accent')).value === '#0a7f3f',
  },
  {
    name: 'give all buttons a color',
    byRoutes: ({ call }) =>
      changeDocuments(call, (source) =>
        source.replace(/"widgetType":"button","settings":\{/g, '$&"background_color":"#0a7f3f",'),
      ),
    byTasks: ({ call }) => call('change_style', { widget: 'button', settings: { background_color: '#0a7f3f' } }),
    holds: async (site) => {
      const { id } = await bySlug(site, 'pages', 'home')
      return (await elementsOf(site, id)).split('"background_color":"#0a7f3f"').length === 4
    },
  },
]

const keeping: readonly MeasuredTask[] = [
  {
    name: 'take an article back to its version before',
    async byRoutes({ call }) {
      const { items } = await call('posts_list', { slug: ['drought'], _fields: 'id' })
      const versions = await call('posts_revisions_list', { parent: items[0].id, _fields: 'id,date,title' })
      const old = await call('posts_revisions_get', {
        parent: items[0].id,
        id: versions.items[1].id,
        context: 'edit',
        _fields: 'title,content,excerpt',
      })
      await call('posts_update', {
        id: items[0].id,
        title: old.title.raw,
        content: old.content.raw,
        excerpt: old.excerpt.raw,
        _fields: 'id',
      })
    },
    async byTasks({ call }) {
      const { versions } = await call('history', { page: 'drought' })
      await call('history', { page: 'drought', version: versions[1].version, restore: true })
    },
    async holds(site) {
      const { id, content } = await bySlug(site, 'posts', 'drought')
      const [, , old] = await site.call('GET', `/cms/v2/posts/${id}/revisions`, { context: 'edit' })
      return content.raw === old.content.raw
    },
  },
  {
    name: 'move a page to the trash, and bring it back',
    async byRoutes({ call }) {
      const id = await idOf(call, 'pages_list', 'support')
      await call('pages_delete', { id })
      await call('pages_update', { id, status: 'publish', _fields: 'id,status' })
    },
    async byTasks({ call }) {
      const { id } = await call('publish', { page: 'support', status: 'trash' })
      await call('publish', { page: id })
    },
    holds: async (site) =>
      (await site.call('GET', '/cms/v2/pages', { search: 'Support the Letter', status: 'publish' })).length === 1,
  },
  {
    name: 'describe a picture for who does not see it',
    async byRoutes({ call }) {
      const { items } = await call('media_list', { search: 'plum', _fields: 'id,alt_text' })
      await call('media_update', { id: items[0].id, alt_text: 'Three jars of plum jam', _fields: 'id' })
    },
    async byTasks({ call }) {
      const { files } = await call('media', { text: 'plum' })
      await call('media', { id: files[0].id, alt_text: 'Three jars of plum jam' })
    },
    holds: async ({ call }) => says(await call('GET', '/cms/v2/media', { search: 'plum' }), 'Three jars of plum jam'),
  },
  {
    name: 'comment on an article',
    async byRoutes({ call }) {
      const post = await idOf(call, 'posts_list', 'drought')
      await call('comments_create', { post, content: 'Thank you.', _fields: 'id' })
    },
    async byTasks({ call }) {
      const { pages } = await call('find', { text: 'dry August' })
      await call('describe_route', { text: 'comments create' })
      const args = { post: pages[0].id, content: 'Thank you.', _fields: 'id' }
      await call('call_route', { route: 'comments_create', arguments: args })
    },
    holds: async ({ call }) => says(await call('GET', '/cms/v2/comments', { search: 'Thank you.' }), 'Thank you.'),
  },
  {
    name: 'add a category',
    byRoutes: ({ call }) => call('categories_create', { name: 'Orchard', _fields: 'id' }),
    async byTasks({ call }) {
      await call('describe_route', { text: 'categories create' })
      await call('call_route', { route: 'categories_create', arguments: { name: 'Orchard', _fields: 'id' } })
    },
    holds: async ({ call }) => (await call('GET', '/cms/v2/categories', { search: 'Orchard' })).length === 1,
  },
  {
    name: 'change the description of the site',
    byRoutes: ({ call }) => call('settings_update', { description: 'News from the valley', _fields: 'description' }),
    async byTasks({ call }) {
      await call('describe_route', { text: 'settings update site' })
      await call('call_route', {
        route: 'settings_update',
        arguments: { description: 'News from the valley', _fields: 'description' },
      })
    },
    holds: async ({ call }) => (await call('GET', '/cms/v2/settings')).description === 'News from the valley',
  },
]

export const measuredTasks: readonly MeasuredTask[] = [...reading, ...writing, ...keeping]
