/** Records that share an author, a parent, a term, a value or an address: the next one costs the storage no more than the first. */
import { expect, test } from 'vitest'
import { blankUser } from '../../../src/contract/fields/blank.ts'
import { toRow } from '../../../src/features/content/comments/model.ts'
import { commentsCollection } from '../../../src/site/comments/comment.ts'
import { type Cost, counts, expectNear, inSlices, openSite, row, storageOf } from './site.ts'

type Site = Awaited<ReturnType<typeof openSite>>
type Request = (name: string) => Promise<Cost>

interface Shared {
  readonly name: string
  /** Makes records that share something; returns the request for one more, and that for one that shares nothing. */
  readonly prepare: (site: Site, count: number) => Promise<{ readonly next: Request; readonly other: Request }>
}

const insertPosts = ({ site }: Site, count: number, of: (number: number) => ReturnType<typeof row>) =>
  inSlices(count, (numbers) => storageOf(site).posts.insert(numbers.map(of)))

const post = (title: string, more: object = {}) => ({ body: { title, status: 'publish', content: 'Words.', ...more } })

const term = async ({ site }: Site, taxonomy: string, slug: string, parent = 0) => {
  const [id = 0] = await storageOf(site).terms.insert([{ taxonomy, name: slug, slug, description: '', parent }])
  return id
}

const comment = (number: number, more: object) =>
  toRow({
    ...{ post: 0, parent: 0, author: 0, authorName: 'Twins', authorEmail: 'twins@quay.example', authorUrl: '' },
    ...{ authorIp: '192.0.2.1', authorUserAgent: '', date: '2024-01-01T00:00:00', content: `Words ${number}` },
    ...{ status: 'hold', type: 'comment', statusBefore: '', statusBeforePost: '', noteStatus: '', ...more },
  })

const insertComments = ({ site }: Site, count: number, of: (number: number) => ReturnType<typeof toRow>) =>
  inSlices(count, (numbers) => storageOf(site).records.insert(commentsCollection, numbers.map(of)))

const says =
  (site: Site, post: number, as: string | null, more: object = {}) =>
  (content: string) =>
    site.send('/cms/v2/comments', { body: { post, content, ...more } }, as)

const shared: readonly Shared[] = [
  {
    name: 'post of an author',
    prepare: async (site, count) => {
      const author = site.site.ids['user.author'] ?? 0
      await insertPosts(site, count, (number) => row('post', number, { author, title: `Of ${number}` }))
      const by =
        (id: number): Request =>
        (title) =>
          site.create('/cms/v2/posts', post(title, { author: id }))
      return { next: by(author), other: by(site.site.ids['user.subscriber'] ?? 0) }
    },
  },
  {
    name: 'page below a page',
    prepare: async (site, count) => {
      const [above = 0, lonely = 0] = await storageOf(site.site).posts.insert(
        [1, 2].map((number) => row('page', number, { slug: `above-${number}` })),
      )
      await insertPosts(site, count, (number) => row('page', number, { parent: above, title: `Of ${number}` }))
      const below =
        (parent: number): Request =>
        (title) =>
          site.create('/cms/v2/pages', post(title, { parent }))
      return { next: below(above), other: below(lonely) }
    },
  },
  {
    name: 'page of a title that pages below other parents have',
    prepare: async (site, count) => {
      await insertPosts(site, count, (number) => row('page', number, { parent: 100_000 + number, slug: 'twins' }))
      const of =
        (name: string): Request =>
        () =>
          site.create('/cms/v2/pages', post(name))
      return { next: of('Twins'), other: of('Lonely') }
    },
  },
  {
    name: 'post of a tag',
    prepare: async (site, count) => {
      const [common, rare] = [await term(site, 'post_tag', 'many'), await term(site, 'post_tag', 'few')]
      const { posts, terms } = storageOf(site.site)
      await inSlices(count, async (numbers) => {
        const ids = await posts.insert(numbers.map((number) => row('post', number, { title: `Of ${number}` })))
        await terms.assign(ids.map((id) => ({ post: id, taxonomy: 'post_tag', terms: [common] })))
      })
      const of =
        (tag: number): Request =>
        (title) =>
          site.create('/cms/v2/posts', post(title, { tags: [tag] }))
      return { next: of(common), other: of(rare) }
    },
  },
  {
    name: 'post with a value of meta',
    prepare: async (site, count) => {
      const { posts, meta } = storageOf(site.site)
      await inSlices(count, async (numbers) => {
        const ids = await posts.insert(numbers.map((number) => row('post', number, { title: `Of ${number}` })))
        await meta.write(
          'post',
          ids.map((id) => ({ id, key: 'footnotes', value: '["twins"]' })),
        )
      })
      const of =
        (footnotes: string): Request =>
        (title) =>
          site.create('/cms/v2/posts', post(title, { meta: { footnotes } }))
      return { next: of('["twins"]'), other: of('["lonely"]') }
    },
  },
  {
    name: 'post whose former slug others had',
    prepare: async (site, count) => {
      const oldSlugs = { name: 'former_slugs', fields: { slug: 'text', type: 'text', post: 'integer' } } as const
      await inSlices(count, (numbers) =>
        storageOf(site.site).records.insert(
          oldSlugs,
          numbers.map((number) => ({ slug: 'twins', type: 'post', post: 100_000 + number })),
        ),
      )
      const renamed =
        (slug: string): Request =>
        async (title) => {
          const { id } = await site.create('/cms/v2/posts', post(title, { slug }))
          return site.send(`/cms/v2/posts/${id}`, { body: { slug: title } }, 'ada', 200)
        }
      return { next: renamed('twins'), other: renamed('lonely') }
    },
  },
  {
    name: 'category below a parent',
    prepare: async (site, count) => {
      const [above, lonely] = [await term(site, 'category', 'above'), await term(site, 'category', 'lonely')]
      await inSlices(count, (numbers) =>
        storageOf(site.site).terms.insert(
          numbers.map((number) => ({
            ...{ taxonomy: 'category', name: `Twins ${number}`, slug: row('', number).slug, description: '' },
            parent: above,
          })),
        ),
      )
      const below =
        (parent: number): Request =>
        (name) =>
          site.create('/cms/v2/categories', { body: { name, parent } })
      return { next: below(above), other: below(lonely) }
    },
  },
  {
    name: 'menu item of a title in a menu',
    prepare: async (site, count) => {
      const [menu, lonely] = [await term(site, 'nav_menu', 'long'), await term(site, 'nav_menu', 'short')]
      const { posts, terms } = storageOf(site.site)
      await inSlices(count, async (numbers) => {
        const ids = await posts.insert(numbers.map((number) => row('nav_menu_item', number)))
        await terms.assign(ids.map((id) => ({ post: id, taxonomy: 'nav_menu', terms: [menu] })))
      })
      const item =
        (menus: number, title: string): Request =>
        () =>
          site.create('/cms/v2/menu-items', { body: { title, url: 'https://quay.example/', type: 'custom', menus } })
      return { next: item(menu, 'Twins'), other: item(lonely, 'Lonely') }
    },
  },
  {
    name: 'template of a title',
    prepare: async (site, count) => {
      await insertPosts(site, count, (number) => row('builder_library', number))
      const save =
        (title: string): Request =>
        () =>
          site.send('/builder/v1/template-library/templates', { body: { title, type: 'page' } }, 'ada', 200)
      return { next: save('Twins'), other: save('Lonely') }
    },
  },
  {
    name: 'user of a display name',
    prepare: async (site, count) => {
      await inSlices(count, (numbers) =>
        storageOf(site.site).users.insert(
          numbers.map((number) => ({
            ...{ ...blankUser, login: `user${number}`, email: `user${number}@quay.example`, slug: `user${number}` },
            ...{ displayName: 'Twins', registered: '2020-01-01T00:00:00' },
          })),
        ),
      )
      const named =
        (name: string): Request =>
        (login) =>
          site.create('/cms/v2/users', {
            body: { username: login, name, email: `${login}@quay.example`, password: 'a long one' },
          })
      return { next: named('Twins'), other: named('Lonely') }
    },
  },
  {
    name: 'application password of a name',
    prepare: async (site, count) => {
      const [arthur, edith] = [site.site.ids['user.author'], site.site.ids['user.editor']]
      const passwords = { name: 'application_passwords', fields: { user: 'integer', name: 'text' } } as const
      await inSlices(count, (numbers) =>
        storageOf(site.site).records.insert(
          passwords,
          numbers.map(() => ({ user: arthur ?? 0, name: 'Twins' })),
        ),
      )
      const of =
        (user: number | undefined): Request =>
        () =>
          site.create(`/cms/v2/users/${user}/application-passwords`, { body: { name: 'Twins' } })
      return { next: of(arthur), other: of(edith) }
    },
  },
  {
    name: 'comment on a post',
    prepare: async (site, count) => {
      const [busy = 0, quiet = 0] = [site.site.ids['post.hello'], site.site.ids['post.tide']]
      await insertComments(site, count, (number) => comment(number, { post: busy, status: 'approved' }))
      return { next: says(site, busy, 'sam'), other: says(site, quiet, 'sam') }
    },
  },
  {
    name: 'comment of a user',
    prepare: async (site, count) => {
      const on = site.site.ids['post.hello'] ?? 0
      const author = site.site.ids['user.subscriber'] ?? 0
      await insertComments(site, count, (number) => comment(number, { author, status: 'approved' }))
      return { next: says(site, on, 'sam'), other: says(site, on, 'connie') }
    },
  },
  {
    name: 'comment of an address whose comments are held',
    prepare: async (site, count) => {
      const on = site.site.ids['post.hello'] ?? 0
      await storageOf(site.site).options.write({ anonymous_comments: true })
      await insertComments(site, count, (number) => comment(number, { post: on }))
      const of = (name: string) => ({ author_name: name, author_email: `${name.toLowerCase()}@quay.example` })
      return { next: says(site, on, null, of('Twins')), other: says(site, on, null, of('Lonely')) }
    },
  },
  {
    name: 'file of a name that the library is given',
    prepare: async (site, count) => {
      await insertPosts(site, count, (number) => row('attachment', number))
      const bytes = new TextEncoder().encode('words')
      const media = site.site.api.site.media as unknown as {
        upload(name: string, bytes: Uint8Array): Promise<{ readonly id: number }>
      }
      const upload =
        (name: string): Request =>
        async () => {
          const { result, ...cost } = await site.measure(() => media.upload(name, bytes))
          return { ...cost, slug: '', id: result.id }
        }
      return { next: upload('twins.txt'), other: upload('lonely.txt') }
    },
  },
]

test.each(shared)('the next $name', async ({ prepare }) => {
  for (const count of counts) {
    const site = await openSite()
    const { next, other } = await prepare(site, count)
    await other('warm')
    await next('warmer')
    const [first, second] = [await other('another'), await next('nextone')]
    expectNear(second, first)
  }
})

test('a list of pages reads no pages below other parents for the slugs of its titles', async () => {
  const rows: number[] = []
  for (const count of [10, 5000]) {
    const site = await openSite()
    await insertPosts(site, count, (number) => row('page', number, { parent: 100_000 + number, slug: 'twins' }))
    await insertPosts(site, 20, (number) =>
      row('page', number, { parent: 200_000 + number, slug: `other-${number}`, date: '2024-01-01T00:00:00' }),
    )
    const list = () => site.site.as('ada')('GET', '/cms/v2/pages', { query: { context: 'edit', per_page: 15 } })
    await list()
    await storageOf(site.site).options.write({ counted: count })
    const { result, postRows } = await site.measure(list)
    expect(result.body).toHaveLength(15)
    rows.push(postRows)
  }
  expect(rows[1]).toBe(rows[0])
})
