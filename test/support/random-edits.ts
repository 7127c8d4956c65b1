/** Random edits of every kind on the small site: each is one write, as an editor, a visitor or the host makes it. */

import { containerElement, storeTemplate, widgetElement } from './documents.ts'
import type { Parsed } from './parsed.ts'
import type { TestSite } from './site.ts'

/** Mulberry32: the same edits in each run. */
export function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    // The cast: lists are not empty.
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    words: (count: number) => Array.from({ length: count }, () => vocabulary[below(vocabulary.length)]).join(' '),
  }
}

type Random = ReturnType<typeof randomOf>

const vocabulary =
  'harbour tide ferry lantern gull rope mast keel fog buoy anchor pier quay sail wind salt wave net oar hull'.split(' ')

/** The records that edits choose from, and those that they have made. */
export interface Edited {
  readonly posts: number[]
  readonly pages: number[]
  readonly built: number[]
  readonly templates: number[]
  readonly categories: number[]
  readonly tags: number[]
  readonly comments: number[]
  readonly media: number[]
  readonly menuItems: number[]
  readonly users: readonly number[]
  readonly components: readonly { readonly id: number; readonly uid: string }[]
  readonly variables: string[]
  readonly menu: number
}

export type Call = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: Parsed }>

export interface EditContext {
  readonly site: TestSite
  readonly call: Call
  readonly random: Random
  readonly edited: Edited
  /** Rises with each edit. */
  readonly turn: number
}

type Edit = (context: EditContext) => Promise<unknown>

const headingDocument = (title: string, settings: object = {}) =>
  JSON.stringify([containerElement('box', {}, [widgetElement('h1', 'heading', { title, ...settings })])])

const update =
  (path: string, list: (edited: Edited) => readonly number[], bodyOf: (context: EditContext) => object): Edit =>
  (context) =>
    context.call('POST', `${path}/${context.random.pick(list(context.edited))}`, bodyOf(context))

const posts = '/cms/v2/posts'
const ofPosts = ({ posts: list }: Edited) => list
const ofPages = ({ pages }: Edited) => pages

const create =
  (path: string, list: (edited: Edited) => number[], bodyOf: (context: EditContext) => object): Edit =>
  async (context) => {
    const { status, body } = await context.call('POST', path, bodyOf(context))
    if (status === 201) list(context.edited).push(body.id)
  }

const remove =
  (path: string, list: (edited: Edited) => number[], least: number): Edit =>
  async ({ call, random, edited }) => {
    const ids = list(edited)
    if (ids.length <= least) return
    const [id] = ids.splice(random.below(ids.length), 1)
    await call('DELETE', `${path}/${id}?force=true`)
  }

export const edits: { readonly [kind: string]: readonly Edit[] } = {
  posts: [
    update(posts, ofPosts, ({ random }) => ({ title: random.words(3) })),
    update(posts, ofPosts, ({ random }) => ({ content: `<p>${random.words(30)}</p>` })),
    update(posts, ofPosts, ({ random }) => ({
      title: random.words(2),
      content: `<p>${random.words(12)}</p>`,
      excerpt: random.words(5),
    })),
    update(posts, ofPosts, ({ random }) => ({ status: random.pick(['draft', 'publish', 'publish', 'private']) })),
    update(posts, ofPosts, ({ random, edited }) => ({ categories: [random.pick(edited.categories)] })),
    update(posts, ofPosts, ({ random, edited }) => ({ tags: [random.pick(edited.tags), random.pick(edited.tags)] })),
    update(posts, ofPosts, ({ random }) => ({ sticky: random.below(2) === 0 })),
    update(posts, ofPosts, ({ random, edited }) => ({ author: random.pick(edited.users) })),
    update(posts, ofPosts, ({ random, turn }) => ({ slug: `${random.pick(vocabulary)}-${turn}` })),
    update(posts, ofPosts, ({ random }) => ({ date: `2024-0${1 + random.below(5)}-1${random.below(10)}T10:00:00` })),
    update(posts, ofPosts, ({ random, edited }) => ({ featured_media: random.pick([0, ...edited.media]) })),
    create(posts, ofPosts, ({ random }) => ({
      title: random.words(3),
      content: `<p>${random.words(20)}</p>`,
      status: random.pick(['publish', 'draft']),
    })),
    create(posts, ofPosts, ({ random, edited }) => ({
      title: random.words(3),
      status: 'publish',
      categories: [random.pick(edited.categories)],
      author: random.pick(edited.users),
    })),
    remove(posts, ofPosts, 8),
  ],
  pages: [
    update('/cms/v2/pages', ofPages, ({ random }) => ({ content: `<p>${random.words(30)}</p>` })),
    update('/cms/v2/pages', ofPages, ({ random }) => ({ title: random.words(2) })),
    update('/cms/v2/pages', ofPages, ({ random }) => ({ menu_order: random.below(5) })),
    create('/cms/v2/pages', ofPages, ({ random }) => ({ title: random.words(2), status: 'publish' })),
    remove('/cms/v2/pages', ofPages, 4),
  ],
  terms: [
    update(
      '/cms/v2/categories',
      ({ categories }) => categories,
      ({ random }) => ({ name: random.words(2) }),
    ),
    update(
      '/cms/v2/tags',
      ({ tags }) => tags,
      ({ random }) => ({ description: random.words(6) }),
    ),
    update(
      '/cms/v2/tags',
      ({ tags }) => tags,
      ({ turn }) => ({ slug: `tag-${turn}` }),
    ),
    create(
      '/cms/v2/tags',
      ({ tags }) => tags,
      ({ turn }) => ({ name: `Tag ${turn}` }),
    ),
    create(
      '/cms/v2/categories',
      ({ categories }) => categories,
      ({ turn }) => ({ name: `Category ${turn}` }),
    ),
    remove('/cms/v2/tags', ({ tags }) => tags, 2),
  ],
  users: [
    update(
      '/cms/v2/users',
      ({ users }) => users,
      ({ random }) => ({ name: random.words(2) }),
    ),
    update(
      '/cms/v2/users',
      ({ users }) => users,
      ({ random }) => ({ description: random.words(6) }),
    ),
    update(
      '/cms/v2/users',
      ({ users }) => users,
      ({ turn }) => ({ email: `user-${turn}@example.test` }),
    ),
  ],
  comments: [
    create(
      '/cms/v2/comments',
      ({ comments }) => comments,
      ({ random, edited }) => ({
        post: random.pick(edited.posts),
        content: random.words(8),
        author_name: 'Reader',
        author_email: 'reader@example.test',
        status: random.pick(['approved', 'hold']),
      }),
    ),
    update(
      '/cms/v2/comments',
      ({ comments }) => comments,
      ({ random }) => ({ content: random.words(8) }),
    ),
    update(
      '/cms/v2/comments',
      ({ comments }) => comments,
      ({ random }) => ({ status: random.pick(['approved', 'hold']) }),
    ),
    remove('/cms/v2/comments', ({ comments }) => comments, 2),
  ],
  media: [
    update(
      '/cms/v2/media',
      ({ media }) => media,
      ({ random }) => ({ alt_text: random.words(3) }),
    ),
    update(
      '/cms/v2/media',
      ({ media }) => media,
      ({ random }) => ({ title: random.words(3) }),
    ),
  ],
  menus: [
    create(
      '/cms/v2/menu-items',
      ({ menuItems }) => menuItems,
      ({ random, edited }) => ({
        title: random.words(1),
        status: 'publish',
        menus: edited.menu,
        type: 'custom',
        url: 'https://elsewhere.example/',
      }),
    ),
    update(
      '/cms/v2/menu-items',
      ({ menuItems }) => menuItems,
      ({ random }) => ({ title: random.words(2) }),
    ),
    remove('/cms/v2/menu-items', ({ menuItems }) => menuItems, 1),
  ],
  settings: [
    ({ call, random }) => call('POST', '/cms/v2/settings', { title: random.words(2) }),
    ({ call, random }) => call('POST', '/cms/v2/settings', { description: random.words(4) }),
    ({ call, random }) => call('POST', '/cms/v2/settings', { posts_per_page: 3 + random.below(4) }),
  ],
  templates: [
    ({ random, edited, site }) =>
      site.api['~parts'].storage.meta.write('post', [
        { id: random.pick(edited.templates), key: '_builder_data', value: headingDocument(random.words(3)) },
      ]) as Promise<void>,
    ({ random, edited, site }) =>
      site.api['~parts'].storage.meta.write('post', [
        {
          id: random.pick(edited.templates),
          key: '_builder_conditions',
          value: [
            random.pick(['include/singular/page', 'include/archive/author', 'include/general', 'include/archive']),
          ],
        },
      ]) as Promise<void>,
  ],
  kit: [
    ({ call, random }) =>
      call('POST', `/builder/v1/globals/colors/${random.pick(['primary', 'ink'])}`, {
        title: 'Ink',
        value: `#${100 + random.below(800)}`,
      }),
  ],
  components: [
    ({ call, random, edited }) => {
      const { id } = random.pick(edited.components)
      return call('POST', '/builder/v1/components/update-titles', {
        components: [{ componentId: id, title: random.words(2) }],
      })
    },
  ],
  classes: [
    ({ call, random }) =>
      call('PUT', '/builder/v1/global-classes', {
        changes: { added: [], deleted: [], modified: ['g-4567890'] },
        items: { 'g-4567890': classOf(`#${100 + random.below(800)}`) },
        order: ['g-4567890'],
      }),
  ],
  variables: [
    async ({ call, random, edited }) => {
      const value = `#${100 + random.below(800)}`
      const [id] = edited.variables
      if (id !== undefined) return call('PUT', '/builder/v1/variables/update', { id, label: 'sea', value })
      const made = await call('POST', '/builder/v1/variables/create', {
        type: 'global-color-variable',
        label: 'sea',
        value,
      })
      const { id: created } = made.body?.data?.variable ?? {}
      if (created) edited.variables.push(created)
    },
  ],
  documents: [
    ({ call, random, edited }) =>
      call('POST', `${posts}/${random.pick(edited.built)}`, {
        meta: { _builder_data: headingDocument(random.words(3), { title_color: `#${100 + random.below(800)}` }) },
      }),
    ({ call, random, edited }) => call('POST', `${posts}/${random.pick(edited.built)}`, { title: random.words(3) }),
  ],
  revisions: [
    async ({ call, random, edited }) => {
      const path = `${posts}/${random.pick([...edited.posts, ...edited.built])}/revisions`
      const { body: revisions } = await call('GET', path)
      if (!Array.isArray(revisions) || revisions.length === 0) return
      const { id } = random.pick(revisions as readonly { readonly id: number }[])
      return call('DELETE', `${path}/${id}?force=true`)
    },
    ({ call, random, edited }) =>
      call('POST', `${posts}/${random.pick(edited.posts)}/autosaves`, { title: random.words(2) }),
  ],
  options: [
    ({ site, turn }) => site.api.site.options.write({ unrelated: turn }),
    ({ call, turn }) => call('POST', `/builder/v1/settings/builder_experiment-x${turn % 3}`, { value: `v${turn}` }),
  ],
}

export const classOf = (color: string) => ({
  ...{ id: 'g-4567890', type: 'class', label: 'lead' },
  variants: [
    {
      meta: { breakpoint: 'desktop', state: null },
      props: { color: { $$type: 'color', value: color } },
      custom_css: null,
    },
  ],
})

/** How often each kind comes: people write more than they design. */
const frequencies: { readonly [kind: string]: number } = {
  posts: 8,
  pages: 3,
  comments: 5,
  documents: 4,
  media: 2,
  terms: 2,
  revisions: 2,
}
const kinds = Object.keys(edits).flatMap((kind) => Array.from({ length: frequencies[kind] ?? 1 }, () => kind))

/** Runs one edit; an edit that the site refuses is none. */
export async function editOnce(context: EditContext): Promise<string> {
  const kind = context.random.pick(kinds)
  await context.random.pick(edits[kind] ?? [])(context)
  return kind
}

/** Adds documents, templates, comments, a menu and a component to the small site. */
export async function furnish(site: TestSite, call: Call): Promise<Edited> {
  const { ids } = site
  const of = (kind: string, keys: readonly string[]) => keys.map((key) => ids[`${kind}.${key}`] as number)
  const made = async (path: string, body: object) => (await call('POST', path, body)).body.id as number
  await call('PUT', '/builder/v1/global-classes', {
    changes: { added: ['g-4567890'], deleted: [], modified: [] },
    items: { 'g-4567890': classOf('#123') },
    order: ['g-4567890'],
  })
  const builtBody = (title: string, elements: unknown) => ({
    ...{ title, status: 'publish', slug: title.toLowerCase().replaceAll(' ', '-') },
    meta: {
      _builder_edit_mode: 'builder',
      _builder_data: typeof elements === 'string' ? elements : JSON.stringify(elements),
    },
  })
  const classed = [
    {
      id: 'c1c1c1c',
      elType: 'e-div-block',
      settings: { classes: { $$type: 'classes', value: ['g-4567890'] } },
      elements: [],
    },
  ]
  const listing = [containerElement('box', {}, [widgetElement('p1', 'posts', { posts_per_page: 3 })])]
  const { body: component } = await call('POST', '/builder/v1/components', {
    status: 'publish',
    items: [
      {
        uid: 'uid-1',
        title: 'Card',
        elements: [
          {
            id: '9f8e7d6',
            elType: 'e-div-block',
            settings: {},
            elements: [{ id: '1a2b3c4', elType: 'widget', widgetType: 'e-heading', settings: {}, elements: [] }],
          },
        ],
      },
    ],
  })
  const componentId = Object.values(component.data ?? {})[0] as number
  const usesComponent = [
    {
      id: '5c5c5c5',
      elType: 'widget',
      widgetType: 'e-component',
      elements: [],
      settings: {
        component_instance: {
          $$type: 'component-instance',
          value: { component_id: { $$type: 'number', value: componentId }, overrides: [] },
        },
      },
    },
  ]
  const built = [
    await made(posts, builtBody('Built one', headingDocument('One'))),
    await made(posts, builtBody('Built two', classed)),
    await made(posts, builtBody('Built three', listing)),
    await made(posts, builtBody('Built four', usesComponent)),
  ]
  const { storage } = site.api['~parts']
  const author = ids['user.admin'] as number
  const templates = [
    await storeTemplate(storage, 'header', JSON.parse(headingDocument('Header')), { author }),
    await storeTemplate(storage, 'archive', JSON.parse(headingDocument('Archive')), { author }),
  ]
  const [header = 0, archive = 0] = templates
  await storage.meta.write('post', [
    { id: header, key: '_builder_conditions', value: ['include/singular/page'] },
    { id: archive, key: '_builder_conditions', value: ['include/archive/author'] },
  ])
  const menu = await made('/cms/v2/menus', { name: 'Main' })
  const menuItems = [
    await made('/cms/v2/menu-items', {
      title: 'Home',
      status: 'publish',
      menus: menu,
      type: 'custom',
      url: 'https://quay.example/',
    }),
  ]
  const comments: number[] = []
  for (const key of ['hello', 'ferry', 'tide'])
    comments.push(
      await made('/cms/v2/comments', {
        post: ids[`post.${key}`],
        content: `About ${key}`,
        author_name: 'Reader',
        author_email: 'reader@example.test',
        status: 'approved',
      }),
    )
  return {
    posts: of('post', ['hello', 'ferry', 'tide', 'knots', 'pinned', 'wide', 'draft']),
    pages: of('page', ['front', 'journal', 'about']),
    ...{ built, templates, comments, menuItems, menu },
    categories: of('category', ['news', 'news-harbour', 'guides']),
    tags: of('tag', ['red', 'green', 'rare']),
    media: of('media', ['pier']),
    users: of('user', ['author', 'author2', 'editor']),
    components: [{ id: componentId, uid: 'uid-1' }],
    variables: [],
  }
}
