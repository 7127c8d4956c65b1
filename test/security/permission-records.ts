/** Creates the records that the permission table names, as the administrator, a new value for each call. */
import { expect } from 'vitest'
import type { SiteUploads } from '../../src/features/content/media/management.ts'
import type { RequestInput, TestSite } from '../support/site.ts'

/** `id`, and the other ids that identify the record. */
export type Values = { readonly [name: string]: string | number }
type Make = (site: TestSite, serial: number) => Promise<Values>

const widget = (id: string, widgetType: string) => ({ id, elType: 'widget', widgetType, settings: {}, elements: [] })

const builderMeta = {
  _builder_edit_mode: 'builder',
  _builder_template_type: 'wp-post',
  _builder_data: JSON.stringify([
    {
      ...{ id: 'a1b2c3d', elType: 'container', settings: {} },
      elements: [widget('10091d0', 'loop-grid'), widget('5ea2c40', 'search'), widget('476d0ce', 'form')],
    },
  ]),
}

/** The body of a request that must succeed: without its record, an entry of the table would check nothing. */
async function bodyOf(site: TestSite, method: string, path: string, sent: RequestInput = {}) {
  const { status, body } = await site.as('ada')(method, path, sent)
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
  return body
}

const userOf = (site: TestSite, name: string) => site.ids[`user.${name}`] as number

const post =
  (author: string, status: string, more: object = {}): Make =>
  async (site, serial) => {
    const body = { title: `Post ${serial}`, content: 'First.', status, author: userOf(site, author), ...more }
    return { id: (await bodyOf(site, 'POST', '/cms/v2/posts', { body })).id }
  }

const published = post('author', 'publish')
const builderDocument = post('editor', 'publish', { meta: builderMeta })

const global =
  (kind: 'colors' | 'typography'): Make =>
  async (site, serial) => {
    const id = `custom${serial}`
    const body = { title: id, value: kind === 'colors' ? '#2F6B4F' : {} }
    await bodyOf(site, 'POST', `/builder/v1/globals/${kind}/${id}`, { body })
    return { id }
  }

const component: Make = async (site, serial) => {
  // A site holds at most a hundred components.
  const { data: earlier } = await bodyOf(site, 'GET', '/builder/v1/components')
  const inUse = earlier
    .filter((value: { isArchived: boolean }) => !value.isArchived)
    .map(({ id }: { id: number }) => id)
  const archived = { componentIds: inUse, status: 'publish' }
  if (inUse.length > 50) await bodyOf(site, 'POST', '/builder/v1/components/archive', { body: archived })
  const items = [{ uid: `record-${serial}`, title: `Record ${serial}`, elements: [] }]
  const { data } = await bodyOf(site, 'POST', '/builder/v1/components', { body: { status: 'publish', items } })
  return { id: data[`record-${serial}`] }
}

const variable: Make = async (site, serial) => {
  const body = { type: 'global-color-variable', label: `record-${serial}`, value: '#ffffff' }
  const { data } = await bodyOf(site, 'POST', '/builder/v1/variables/create', { body })
  return { id: data.variable.id, watermark: data.watermark }
}

const submission: Make = async (site) => {
  const { id: page } = await builderDocument(site, 0)
  const { id } = await site.api.site.submissions.add({
    ...{ postId: Number(page), elementId: '476d0ce', formName: 'Contact' },
    fields: [{ id: 'name', type: 'text', label: 'Name', value: 'Bob' }],
  })
  return { id }
}

const remediation: Make = async (site) => {
  const body = {
    ...{ url: 'https://quay.example/ferry/', rule: 'img_alt_missing', group: 'altText' },
    remediation: { type: 'ATTRIBUTE', category: 'A', xpath: '/html/body' },
  }
  return { id: (await bodyOf(site, 'POST', '/a11y/v1/remediation/item', { body })).data.remediation.id }
}

const templateFile = (serial: number) =>
  btoa(JSON.stringify({ title: `Top ${serial}`, type: 'header', content: [], page_settings: {} }))

const recordIn =
  (route: string, author: string): Make =>
  async (site, serial) => {
    const body = { title: `Record ${serial}`, content: 'First.', status: 'publish', author: userOf(site, author) }
    return { id: (await bodyOf(site, 'POST', route, { body })).id }
  }

const page = recordIn('/cms/v2/pages', 'editor')

const release: Make = async (site, serial) => {
  const { id } = await bodyOf(site, 'POST', '/site-api/v1/releases', { body: { name: `Release ${serial}` } })
  const { id: changed = 0 } = await published(site, serial)
  const headers = { 'X-CMS-Release': String(id) }
  await bodyOf(site, 'POST', `/cms/v2/posts/${changed}`, { body: { title: 'Changed' }, headers })
  return { id, record: `post:${changed}` }
}

const previewedRelease: Make = async (site, serial) => {
  const values = await release(site, serial)
  const made = await bodyOf(site, 'POST', `/site-api/v1/releases/${values['id']}/previews`)
  return { ...values, preview: made.id }
}

const publishedRelease: Make = async (site, serial) => {
  const values = await release(site, serial)
  await bodyOf(site, 'POST', `/site-api/v1/releases/${values['id']}/publish`)
  return values
}

/** Blocks have no argument for the author. */
const block: Make = async (site, serial) => {
  const body = { title: `Block ${serial}`, content: 'First.', status: 'publish' }
  const made = await site.as('arthur')('POST', '/cms/v2/blocks', { body })
  expect(made.status).toBe(201)
  return { id: made.body.id }
}

const below =
  (make: Make, route: string, list: 'revisions' | 'autosaves'): Make =>
  async (site, serial) => {
    const { id: parent = 0 } = await make(site, serial)
    const path = `${route}/${parent}`
    await bodyOf(site, 'POST', list === 'revisions' ? path : `${path}/autosaves`, { body: { content: 'Second.' } })
    return { parent, id: (await bodyOf(site, 'GET', `${path}/${list}`))[0].id }
  }

const comment =
  (author: string, status: string): Make =>
  async (site, serial) => {
    const { id: post = 0 } = await published(site, serial)
    const body = { post, content: `Words ${serial}`, author: userOf(site, author), status }
    return { id: (await bodyOf(site, 'POST', '/cms/v2/comments', { body })).id }
  }

const term =
  (base: string): Make =>
  async (site, serial) => ({
    id: (await bodyOf(site, 'POST', `/cms/v2/${base}`, { body: { name: `Record ${serial}` } })).id,
  })

const menuItem: Make = async (site, serial) => {
  const body = { title: `Record ${serial}`, url: 'https://a.example/' }
  return { id: (await bodyOf(site, 'POST', '/cms/v2/menu-items', { body })).id }
}

const newUser: Make = async (site, serial) => {
  const body = { username: `made${serial}`, email: `made${serial}@example.test`, password: 'open sesame' }
  return { id: (await bodyOf(site, 'POST', '/cms/v2/users', { body })).id }
}

const passwordOfNewUser: Make = async (site, serial) => {
  const { id: user_id = 0 } = await newUser(site, serial)
  const path = `/cms/v2/users/${user_id}/application-passwords`
  return { user_id, uuid: (await bodyOf(site, 'POST', path, { body: { name: 'Reader' } })).uuid }
}

const knownUser =
  (name: string): Make =>
  async (site) => ({ id: userOf(site, name), user_id: userOf(site, name) })

const file =
  (author: string, above?: Make): Make =>
  async (site, serial) => {
    const { id: parent } = above ? await above(site, serial) : { id: 0 }
    // The cast: only profiles with media have it.
    const media = site.api.site.media as unknown as SiteUploads
    const upload = await media.upload(`notes-${serial}.txt`, new TextEncoder().encode('High at six.'), {
      author: userOf(site, author),
      post: Number(parent),
    })
    return { id: upload.post.id }
  }

const records: { readonly [name: string]: Make } = {
  'a term of categories': term('categories'),
  'a term of tags': term('tags'),
  'a term of cms_pattern_category': term('cms_pattern_category'),
  'a menu': term('menus'),
  'a menu item': menuItem,
  'an autosave of a menu item': below(menuItem, '/cms/v2/menu-items', 'autosaves'),
  'a new user': newUser,
  'a password of a new user': passwordOfNewUser,
  'the author': knownUser('author'),
  'the administrator': knownUser('admin'),
  'a published post': published,
  'a published page': page,
  'a revision of a page': below(page, '/cms/v2/pages', 'revisions'),
  'an autosave of a page': below(page, '/cms/v2/pages', 'autosaves'),
  'a block of the author': block,
  'a revision of a block': below(block, '/cms/v2/blocks', 'revisions'),
  'an autosave of a block': below(block, '/cms/v2/blocks', 'autosaves'),
  'a file of the author': file('author'),
  'a file of the author below a private post of the editor': file('author', post('editor', 'private')),
  'an approved comment': comment('contributor', 'approved'),
  'a held comment of the subscriber': comment('subscriber', 'hold'),
  'a published post of the author': published,
  'a published post of the contributor': post('contributor', 'publish'),
  'a draft of the contributor': post('contributor', 'draft'),
  'a private post of the editor': post('editor', 'private'),
  'a revision of a post of the author': async (site, serial) => {
    const { id: parent = 0 } = await published(site, serial)
    await bodyOf(site, 'POST', `/cms/v2/posts/${parent}`, { body: { content: 'Second.' } })
    const [revision] = await bodyOf(site, 'GET', `/cms/v2/posts/${parent}/revisions`)
    return { parent, id: revision.id }
  },
  'an autosave of a post of the author': async (site, serial) => {
    const { id: parent = 0 } = await published(site, serial)
    const { id } = await bodyOf(site, 'POST', `/cms/v2/posts/${parent}/autosaves`, { body: { content: 'Kept.' } })
    return { parent, id }
  },
  'a document of the author with a revision': async (site, serial) => {
    const { id = 0 } = await post('author', 'publish', { meta: builderMeta })(site, serial)
    await bodyOf(site, 'POST', `/cms/v2/posts/${id}`, { body: { title: 'Second' } })
    const [revision] = await bodyOf(site, 'GET', `/cms/v2/posts/${id}/revisions`)
    return { id, revision: revision.id }
  },
  'a builder document of the editor': builderDocument,
  'a private builder document of the editor': post('editor', 'private', { meta: builderMeta }),
  'a custom color': global('colors'),
  'a custom typography': global('typography'),
  'a component': component,
  'a release': release,
  'a published release': publishedRelease,
  'a release with a preview': previewedRelease,
  'a component that the administrator holds': async (site, serial) => {
    const { id = 0 } = await component(site, serial)
    await bodyOf(site, 'POST', '/builder/v1/components/lock', { body: { componentId: id } })
    return { id }
  },
  'a variable': variable,
  'a deleted variable': async (site, serial) => {
    const { id = '' } = await variable(site, serial)
    await bodyOf(site, 'POST', '/builder/v1/variables/delete', { body: { id } })
    return { id }
  },
  'a template of the library': async (site, serial) => {
    const body = { title: `Top ${serial}`, type: 'page', content: {} }
    return { id: (await bodyOf(site, 'POST', '/builder/v1/template-library/templates', { body })).template_id }
  },
  'a template of the site editor': async (site, serial) => {
    const body = { fileName: 'top.json', fileData: templateFile(serial) }
    const [template] = await bodyOf(site, 'POST', '/builder/v1/site-editor/templates', { body })
    return { id: template.id }
  },
  'a form submission': submission,
  'a form submission in the trash': async (site, serial) => {
    const { id = 0 } = await submission(site, serial)
    await bodyOf(site, 'DELETE', `/builder/v1/form-submissions/${id}`)
    return { id }
  },
  'a note of the administrator': async (site, serial) => {
    const { id: page = 0 } = await builderDocument(site, serial)
    const body = { post_id: page, element_id: 'a1b2c3d', content: 'Nice', position: { x: 1, y: 2 } }
    return { id: (await bodyOf(site, 'POST', '/builder/v1/notes', { body })).data.id, post: page }
  },
  'a remediation of a page': remediation,
  'a global remediation': async (site, serial) => {
    const { id = 0 } = await remediation(site, serial)
    await bodyOf(site, 'POST', '/a11y/v1/remediation/global-item', { body: { id } })
    return { id }
  },
}

/** Replaces `{name}` in strings; a string that is only `{name}` becomes the value itself. */
export function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((value) => filled(value, values))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, value]) => [name, filled(value, values)]))
  if (typeof value !== 'string') return value
  const [, only] = /^\{(\w+)\}$/.exec(value) ?? []
  if (only !== undefined && only in values) return values[only]
  return value.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
}

export function recordOf(name: string): Make {
  const make = records[name]
  if (!make)
    throw new Error(
      `the permission table names the record '${name}': add a function that creates it to permission-records.ts`,
    )
  return make
}
