/** `wordpress-api-client`: knows the usual paths, puts a slash before each query, and uploads raw bodies. */
import assert from 'node:assert/strict'
import type { Parsed } from '../support/parsed.ts'
import { type Check, picture, type Site } from './site.ts'

export const typedChecks = ({ default: WpApiClient }: Parsed): readonly Check[] => {
  // The client prints each error besides throwing it.
  const quiet = { onError: async () => undefined }
  const visitor = ({ origin }: Site) => new WpApiClient(origin, quiet)
  const signedIn = ({ origin, login }: Site) => new WpApiClient(origin, { ...quiet, auth: { type: 'basic', ...login } })

  return [
    {
      name: 'reads lists and records of every kind with a slash before the query',
      async run(site) {
        const client = visitor(site)
        const posts = await client.post().find()
        assert.ok(posts.length > 5)
        const [one] = await client.post().find(posts[0].id)
        assert.equal(one._embedded.author[0].id, one.author)
        const lists = [
          client.page(),
          client.postCategory(),
          client.postTag(),
          client.media(),
          client.comment(),
          client.user(),
        ]
        for (const list of lists) assert.ok(Array.isArray(await list.find()))
        assert.ok((await client.taxonomy()).category)
        assert.equal((await client.taxonomy('category'))[0].slug, 'category')
        assert.ok((await client.search('river')).length > 0)
        assert.ok((await client.postType()).post)
        assert.equal((await client.status('publish')).slug, 'publish')
      },
    },
    {
      name: 'walks over pages by their number, until the 400 behind the last one',
      async run(site) {
        const client = visitor(site)
        const seen = new Set<number>()
        const walk = async (): Promise<never> => {
          for (let page = 1; ; page++) {
            const found = await client.post().find(new URLSearchParams({ per_page: '4', page: String(page) }))
            for (const { id } of found) seen.add(id)
          }
        }
        await assert.rejects(walk(), /\(400\)/)
        assert.equal(seen.size, (await client.post().find()).length)
      },
    },
    {
      name: 'creates, updates and deletes posts, pages and terms, with revisions',
      async run(site) {
        const client = signedIn(site)
        const category = await client.postCategory().create({ name: 'Weather' })
        const post = await client.post().create({
          title: { rendered: 'Fog' },
          content: { rendered: '<p>One.</p>' },
          categories: [category.id],
          status: 'publish',
        })
        assert.deepEqual([post.title.raw, post.categories], ['Fog', [category.id]])
        const changed = await client.post().update({ content: { rendered: '<p>Two.</p>' } }, post.id)
        assert.equal(changed.content.raw, '<p>Two.</p>')
        const revisions = await client.post().revision(post.id).find()
        assert.ok(revisions.length > 0)
        const page = await client.page().create({ title: { rendered: 'Contact' } })
        assert.equal((await client.page().delete(page.id))[0].status, 'trash')
        assert.equal((await client.post().delete(post.id))[0].status, 'trash')
        assert.equal((await client.postCategory().delete(category.id))[0].deleted, true)
      },
    },
    {
      name: 'uploads a picture as a raw body, and describes it in a second request',
      async run(site) {
        const media = signedIn(site).media()
        const made = await media.create('pier.png', picture, 'image/png', { alt_text: 'A pier' })
        assert.deepEqual([made.alt_text, made.mime_type, made.slug], ['A pier', 'image/png', 'pier'])
        assert.equal((await fetch(made.source_url)).headers.get('content-type'), 'image/png')
        assert.equal((await media.delete(made.id))[0].deleted, true)
      },
    },
    {
      name: 'reads and changes itself, the settings, users and application passwords',
      async run(site) {
        const client = signedIn(site)
        const me = await client.user().findMe()
        assert.equal(me.slug, 'ada-lindqvist')
        const { title } = await client.siteSettings().find()
        assert.equal((await client.siteSettings().update({ title: 'Renamed' })).title, 'Renamed')
        assert.equal((await client.siteSettings().update({ title })).title, title)
        const { id } = await client
          .user()
          .create({ email: 'new@millbrook.example', username: 'newcomer', password: 'a b c d e f' })
        assert.equal((await client.user().update({ description: 'New here' }, id)).description, 'New here')
        assert.equal((await client.user().delete(me.id, id))[0].deleted, true)
        const passwords = client.applicationPassword()
        const made = await passwords.create(me.id, '0d8f3c1e-5b7a-4c2e-9f60-1a2b3c4d5e6f', 'Phone')
        assert.match(made.password, /^\w{24}$|^\w{4}( \w{4}){5}$/)
        assert.equal((await passwords.find(me.id, [made.uuid]))[0].name, 'Phone')
        assert.equal((await passwords.update(me.id, made.uuid, undefined, 'Tablet')).name, 'Tablet')
        assert.equal((await passwords.delete(me.id, made.uuid)).deleted, true)
        assert.ok((await client.theme()).length > 0)
      },
    },
    {
      name: 'keeps reusable blocks with their autosaves',
      async run(site) {
        const blocks = signedIn(site).reusableBlock()
        const content = '<!-- wp:paragraph --><p>Daily from nine.</p><!-- /wp:paragraph -->'
        const made = await blocks.create({ title: { raw: 'Hours' }, content: { raw: content }, status: 'publish' })
        const saved = await blocks
          .autosave(made.id)
          .create({ title: { raw: 'Hours' }, content: { raw: '<p>Later.</p>' } })
        assert.equal(saved.parent, made.id)
        assert.equal((await blocks.find(made.id))[0].content.raw, content)
        assert.equal((await blocks.delete(made.id))[0].status, 'trash')
      },
    },
    {
      name: 'shows the message and the status of a refusal',
      async run(site) {
        await assert.rejects(
          visitor(site)
            .post()
            .create({ title: { rendered: 'x' } }),
          /\(401\)/,
        )
        await assert.rejects(signedIn(site).post().find(999_999), /\(404\)/)
      },
    },
  ]
}
