/** Every document whose tag is read from the storage (`stored` of its endpoints): how a client reads it and writes it. */

import type { SiteSubmissions } from '../../../src/features/builder/form-submissions/management.ts'
import { full } from '../../../src/profiles/full.ts'
import type { TestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'
import { heading, item } from '../builder/components/fixture.ts'
import { aClass, adding, itemsOf } from '../builder/global-classes/fixture.ts'
import { template } from '../builder/site-editor/fixture.ts'

/** The profile of the cases: all features. */
export const allFeatures = full

interface DocumentWrite {
  readonly method: string
  readonly path: string
  /** Each number gives another state. */
  readonly body?: (number: number) => unknown
  readonly query?: string
}

interface OpenDocument {
  readonly read: string
  /** In an order in which each finds what it needs. */
  readonly writes: readonly DocumentWrite[]
}

export interface DocumentCase {
  readonly name: string
  /** The document exists when it settles. */
  readonly open: (site: TestSite) => Promise<OpenDocument> | OpenDocument
}

const elements = JSON.stringify([{ id: 'c0ntain', elType: 'container', elements: [{ id: 'a1b2c3d', elements: [] }] }])

export const seed = {
  ...smallSite,
  documents: [template('top', 'header', ['include/general'])],
  posts: [
    ...smallSite.posts,
    {
      ...{
        key: 'noted',
        slug: 'noted',
        title: 'Noted',
        status: 'publish',
        author: 'editor',
        content: '',
        categories: [],
      },
      date: '2024-02-20T09:00:00',
      meta: { _builder_edit_mode: 'builder', _builder_template_type: 'wp-post', _builder_data: elements },
    },
  ],
}

const bit = (number: number, place: number) => (number & (1 << place)) !== 0

async function made(site: TestSite, method: string, path: string, body?: unknown) {
  const answer = await site.as('ada')(method, path, { body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const globalItem = (kind: string, nextValue: (number: number) => unknown): DocumentCase => ({
  name: `global ${kind}`,
  async open(site) {
    const path = `/builder/v1/globals/${kind}/river`
    const body = (number: number) => ({ title: 'River', value: nextValue(number) })
    await made(site, 'POST', path, body(0))
    return {
      read: path,
      writes: [
        { method: 'POST', path, body },
        { method: 'DELETE', path },
      ],
    }
  },
})

/** A document that is read and written by one path. */
const whole = (
  name: string,
  methods: readonly string[],
  path: string,
  body: (number: number) => unknown,
): DocumentCase => ({
  name,
  async open(site) {
    await made(site, methods[0] as string, path, body(0))
    return { read: path, writes: methods.map((method) => ({ method, path, body })) }
  },
})

const editable = ['POST', 'PUT', 'PATCH']

/** The records of a type have autosaves and revisions of the same kind. */
const autosaves = (route: string, own: object): DocumentCase => ({
  name: `autosaves of ${route}`,
  async open(site) {
    const { id } = await made(site, 'POST', `/cms/v2/${route}`, { title: 'Mine', status: 'publish', ...own })
    const path = `/cms/v2/${route}/${id}/autosaves`
    const body = (number: number) => ({ title: `Half a thought ${number}` })
    const autosave = await made(site, 'POST', path, body(0))
    return { read: `${path}/${autosave.id}`, writes: [{ method: 'POST', path, body }] }
  },
})

const revisions = (route: string): DocumentCase => ({
  name: `revisions of ${route}`,
  async open(site) {
    const { id } = await made(site, 'POST', `/cms/v2/${route}`, { title: 'Mine', content: 'One', status: 'publish' })
    await made(site, 'POST', `/cms/v2/${route}/${id}`, { content: 'Two' })
    const [revision] = await made(site, 'GET', `/cms/v2/${route}/${id}/revisions`)
    const path = `/cms/v2/${route}/${id}/revisions/${revision.id}`
    return { read: path, writes: [{ method: 'DELETE', path, query: 'force=true' }] }
  },
})

const widgets = ['heading', 'image', 'text-editor', 'video', 'button', 'icon', 'spacer', 'divider']
const variable = (number: number) => ({ type: 'global-color-variable', label: `river-${number}`, value: '#123456' })

export const documents: readonly DocumentCase[] = [
  globalItem('colors', (number) => `#12345${number}`),
  globalItem('typography', (number) => ({ font_size: `${number + 10}px` })),
  {
    name: 'element defaults',
    async open(site) {
      const path = '/builder/v1/kit-elements-defaults/heading'
      const body = (number: number) => ({ settings: { title: `Title ${number}` } })
      await made(site, 'POST', path, body(0))
      const writes = [...editable.map((method) => ({ method, path, body })), { method: 'DELETE', path }]
      return { read: '/builder/v1/kit-elements-defaults', writes }
    },
  },
  {
    name: 'variables',
    async open(site) {
      const root = '/builder/v1/variables'
      const { id } = (await made(site, 'POST', `${root}/create`, variable(0))).data.variable
      const operations = (number: number) => [{ type: 'create', variable: { id: 'new', ...variable(number + 100) } }]
      const changes = editable.flatMap((method) => [
        { method, path: `${root}/update`, body: (number: number) => ({ ...variable(number), id }) },
        { method, path: `${root}/delete`, body: () => ({ id }) },
        { method, path: `${root}/restore`, body: () => ({ id }) },
      ])
      const writes = [
        { method: 'POST', path: `${root}/create`, body: (number: number) => variable(number + 50) },
        {
          method: 'POST',
          path: `${root}/batch`,
          body: (number: number) => ({ watermark: 99, operations: operations(number) }),
        },
        ...changes,
      ]
      return { read: `${root}/list`, writes }
    },
  },
  {
    name: 'global classes',
    async open(site) {
      const path = '/builder/v1/global-classes'
      await made(site, 'PUT', path, adding(aClass('g-1')))
      const changes = { added: [], deleted: [], modified: ['g-1'] }
      const body = (number: number) => ({ changes, items: itemsOf(aClass('g-1', `label-${number}`)), order: ['g-1'] })
      return { read: path, writes: [{ method: 'PUT', path, body }] }
    },
  },
  whole('site settings', editable, '/cms/v2/settings', (number) => ({ description: `About ${number}` })),
  whole('settings by key', editable, '/builder/v1/settings/builder_mine', (number) => ({ value: number })),
  whole('user data', ['PATCH'], '/builder/v1/user-data/current-user', (number) => ({
    suppressedMessages: [`m${number}`],
  })),
  whole('account settings', editable, '/builder-one/v1/settings', (number) => ({
    ...{ welcomeScreenCompleted: bit(number, 0), dismissConnectAlert: bit(number, 1) },
    editorUpdateNotificationDismissed: bit(number, 2),
  })),
  whole('settings of a theme', editable, '/builder-theme/v1/theme-settings', (number) => ({
    settings: { SKIP_LINK: bit(number, 0), PAGE_TITLE: bit(number, 1), BASE_STYLE: bit(number, 2) },
  })),
  whole('settings of the other theme', editable, '/builder-theme-biz/v1/theme-settings', (number) => ({
    settings: { skip_link: number },
  })),
  whole('progress of the checklist', editable, '/builder/v1/checklist/user-progress', (number) => ({
    e_editor_counter: number,
  })),
  {
    name: 'steps of the checklist',
    async open() {
      const path = '/builder/v1/checklist/steps/add_logo'
      const body = (number: number) => ({
        is_marked_completed: bit(number, 0),
        is_immutable_completed: bit(number, 1),
      })
      return { read: '/builder/v1/checklist/steps', writes: editable.map((method) => ({ method, path, body })) }
    },
  },
  whole('progress of the onboarding', editable, '/builder/v1/onboarding/user-progress', (number) => ({
    current_step: number,
  })),
  whole('choices of the onboarding', editable, '/builder/v1/onboarding/user-choices', (number) => ({
    building_for: `purpose ${number}`,
  })),
  whole('image presets', ['POST'], '/imgopt/v1/preset_configs', (number) => [
    { id: 1_700_000_000_000, name: `Photos ${number}`, config: {} },
  ]),
  {
    name: 'favorites',
    async open() {
      const path = '/builder/v1/favorites/widgets'
      const body = (number: number) => ({ favorite: widgets[number % widgets.length] })
      const removed = { method: 'DELETE', path, body: (number: number) => ({ favorite: widgets[number - 4] }) }
      return { read: '/builder/v1/favorites', writes: [{ method: 'POST', path, body }, removed] }
    },
  },
  {
    name: 'application passwords',
    async open(site) {
      const root = `/cms/v2/users/${site.ids['user.editor']}/application-passwords`
      const path = `${root}/${(await made(site, 'POST', root, { name: 'Reader' })).uuid}`
      const body = (number: number) => ({ name: `Reader ${number}` })
      return { read: path, writes: [...editable.map((method) => ({ method, path, body })), { method: 'DELETE', path }] }
    },
  },
  {
    name: 'all application passwords of a user',
    open(site) {
      const path = `/cms/v2/users/${site.ids['user.editor']}/application-passwords`
      return { read: path, writes: [{ method: 'DELETE', path }] }
    },
  },
  {
    name: 'notes',
    async open(site) {
      const sent = { element_id: 'a1b2c3d', content: 'Higher', position: { x: 1, y: 2 } }
      const note = await made(site, 'POST', '/builder/v1/notes', { ...sent, post_id: site.ids['post.noted'] })
      const path = `/builder/v1/notes/${note.data.id}`
      const body = (number: number) => ({ content: `Higher ${number}` })
      return { read: path, writes: [...editable.map((method) => ({ method, path, body })), { method: 'DELETE', path }] }
    },
  },
  {
    name: 'form submissions',
    async open(site) {
      // The cast: the profile has forms.
      const { submissions } = site.api.site as unknown as { readonly submissions: SiteSubmissions }
      const fields = [{ id: 'name', type: 'text', label: 'Name', value: 'Ada' }]
      const form = { postId: site.ids['post.noted'] as number, elementId: '476d0ce', formName: 'Contact', fields }
      const { id } = await submissions.add(form)
      const root = '/builder/v1/form-submissions'
      const path = `${root}/${id}`
      const body = (number: number) => ({ values: { name: `Ada ${number}` } })
      const restores = editable.flatMap((method) => [
        { method: 'DELETE', path },
        { method, path: `${root}/restore/${id}` },
      ])
      return { read: path, writes: [...editable.map((method) => ({ method, path, body })), ...restores] }
    },
  },
  {
    name: 'components',
    async open(site) {
      const root = '/builder/v1/components'
      const items = (number: number) => [item({ title: `Card ${number + 100}`, elements: [heading()] })]
      const created = await made(site, 'POST', root, { status: 'publish', items: items(0) })
      const [id] = Object.values(created.data)
      const titles = (number: number) => [{ componentId: id, title: `Tile ${number}` }]
      const writes = [
        { method: 'POST', path: root, body: (number: number) => ({ status: 'publish', items: items(number) }) },
        {
          method: 'POST',
          path: `${root}/update-titles`,
          body: (number: number) => ({ components: titles(number), status: 'draft' }),
        },
        { method: 'PUT', path: `${root}/status`, body: () => ({ status: 'publish', ids: [id] }) },
        { method: 'POST', path: `${root}/archive`, body: () => ({ componentIds: [id], status: 'publish' }) },
      ]
      return { read: root, writes }
    },
  },
  {
    name: 'templates of the site editor',
    open(site) {
      const root = '/builder/v1/site-editor'
      const id = site.ids['document.top']
      const path = `${root}/templates/${id}`
      const conditions = `${root}/templates-conditions/${id}`
      const writes = editable.flatMap((method) => [
        { method, path, body: (number: number) => ({ post_title: `Top ${number}` }) },
        {
          method,
          path: conditions,
          body: (number: number) => ({ conditions: [['include', 'singular', 'post', `${number}`]] }),
        },
      ])
      return { read: conditions, writes: [...writes, { method: 'DELETE', path }] }
    },
  },
  {
    name: 'remediations of a page',
    async open(site) {
      const url = 'https://quay.example/'
      const root = '/a11y/v1/remediation'
      const remediation = { type: 'ATTRIBUTE', category: 'A', xpath: '/html/body/img' }
      const added = { url, remediation, rule: 'img_alt_missing', group: 'altText' }
      const { id } = (await made(site, 'POST', `${root}/item`, added)).data.remediation
      const other = (await made(site, 'POST', `${root}/item`, { ...added, global: true })).data.remediation.id
      const content = (number: number) => JSON.stringify({ ...remediation, xpath: `/html/body/p[${number}]` })
      const active = (number: number) => bit(number, 0)
      const group = 'altText'
      const body = (members: object) => (number: number) => ({ ...members, url, active: active(number) })
      const writes: DocumentWrite[] = [
        { method: 'POST', path: `${root}/item`, body: () => added },
        { method: 'PUT', path: `${root}/item`, body: (number) => ({ id, content: content(number) }) },
        { method: 'PATCH', path: `${root}/item`, body: body({ id }) },
        { method: 'PATCH', path: `${root}/items`, body: body({ group }) },
        { method: 'PUT', path: `${root}/global-item`, body: body({ id: other }) },
        { method: 'PUT', path: `${root}/global-items`, body: body({}) },
        { method: 'PUT', path: `${root}/global-items-group`, body: body({ group }) },
        {
          method: 'POST',
          path: `${root}/heading-level`,
          body: (number) => ({ url, xpath: '/html/body/b', level: `h${(number % 6) + 1}` }),
        },
        { method: 'DELETE', path: `${root}/item`, body: () => ({ id, url }) },
        { method: 'DELETE', path: `${root}/items`, body: () => ({ url }) },
      ]
      return { read: `${root}/items?url=${encodeURIComponent(url)}`, writes }
    },
  },
  autosaves('posts', {}),
  autosaves('pages', {}),
  autosaves('blocks', {}),
  autosaves('menu-items', { url: 'https://a.example/' }),
  revisions('posts'),
  revisions('pages'),
  revisions('blocks'),
  {
    name: 'the history',
    open: async (site) => {
      const moments: string[] = []
      for (let number = 0; number < 8; number++) {
        moments.push(new Date(site.clock.now).toISOString())
        site.clock.now += 1000
        await made(site, 'POST', '/cms/v2/settings', { title: `Quay ${number}` })
      }
      const body = (number: number) => ({ to: moments[number] })
      return {
        read: '/site-api/v1/history',
        writes: [{ method: 'POST', path: '/site-api/v1/history/restore', body }],
      }
    },
  },
]
