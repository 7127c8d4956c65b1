/** `wpapi`: finds its routes in the index, from the address of the site. */
import assert from 'node:assert/strict'
import type { Parsed } from '../support/parsed.ts'
import { type Check, picture, type Site } from './site.ts'

export const wpapiChecks = (WPAPI: Parsed): readonly Check[] => {
  const discovered = async ({ origin, login }: Site) => {
    const site = await WPAPI.discover(origin)
    return [site, site.auth(login)] as const
  }
  const signedIn = async (site: Site) => (await discovered(site))[1]

  return [
    {
      name: 'discovers the api and its routes from the address of the site',
      async run(site) {
        const found = await WPAPI.discover(site.origin)
        for (const name of ['posts', 'pages', 'media', 'comments', 'categories', 'menu-items']) {
          assert.equal(typeof found[name], 'function', name)
        }
        assert.equal(found.posts().toString(), `${site.origin}/wp-json/wp/v2/posts`)
        assert.equal((await found.root().get()).name, 'The Millbrook Letter')
      },
    },
    {
      name: 'lists, filters and reads with embeds',
      async run(site) {
        const found = await WPAPI.discover(site.origin)
        const posts = await found.posts().perPage(3).order('asc').orderby('date').embed()
        assert.equal(posts.length, 3)
        assert.ok(posts._paging.total > 3)
        for (const post of posts) {
          assert.ok(post._embedded.author[0].name)
          assert.ok(post._embedded['wp:term'].flat().length > 0)
        }
        const one = await found.posts().id(posts[0].id).embed()
        assert.equal(one.title.rendered, posts[0].title.rendered)
        const [bySlug] = await found.posts().slug(one.slug)
        assert.equal(bySlug.id, one.id)
        const [term] = one._embedded['wp:term'].flat()
        const alike = await found.posts().param({ [term.taxonomy === 'category' ? 'categories' : 'tags']: [term.id] })
        assert.ok(alike.some(({ id }: Parsed) => id === one.id))
      },
    },
    {
      name: 'walks over all pages by their links, until the 400 behind the last one',
      async run(site) {
        const found = await WPAPI.discover(site.origin)
        const seen: number[] = []
        let page = await found.posts().perPage(4).get()
        const { total, totalPages } = page._paging
        for (;;) {
          seen.push(...page.map(({ id }: Parsed) => id))
          if (!page._paging.next) break
          page = await page._paging.next
        }
        assert.equal(new Set(seen).size, Number(total))
        await assert.rejects(
          found
            .posts()
            .perPage(4)
            .page(Number(totalPages) + 1)
            .get(),
          {
            code: 'rest_post_invalid_page_number',
          },
        )
      },
    },
    {
      name: 'creates, updates, trashes and deletes a post',
      async run(site) {
        const found = await signedIn(site)
        const title = 'Nets & “knots” <3'
        const made = await found.posts().create({ title, content: '<p>First.</p>', status: 'draft' })
        assert.equal((await found.posts().id(made.id).edit()).title.raw, title)
        const updated = await found.posts().id(made.id).update({ status: 'publish', excerpt: 'Short' })
        assert.deepEqual([updated.status, updated.excerpt.raw], ['publish', 'Short'])
        const revisions = await found.posts().id(made.id).revisions()
        assert.ok(revisions.length > 0)
        assert.equal((await found.posts().id(made.id).delete()).status, 'trash')
        assert.equal((await found.posts().id(made.id).delete({ force: true })).deleted, true)
        await assert.rejects(found.posts().id(made.id).get(), { code: 'rest_post_invalid_id' })
      },
    },
    {
      name: 'uploads a picture as a form, and describes it',
      async run(site) {
        const found = await signedIn(site)
        const made = await found
          .media()
          .file(picture, 'harbour.png')
          .create({ title: 'The harbour', alt_text: 'Boats' })
        assert.deepEqual([made.title.raw, made.alt_text, made.mime_type], ['The harbour', 'Boats', 'image/png'])
        const bytes = await (await fetch(made.source_url)).bytes()
        assert.deepEqual(bytes, new Uint8Array(picture))
        const changed = await found.media().id(made.id).update({ caption: 'At low tide' })
        assert.equal(changed.caption.raw, 'At low tide')
        assert.equal((await found.media().id(made.id).delete({ force: true })).deleted, true)
      },
    },
    {
      name: 'nests a category below another one, and its address with it',
      async run(site) {
        const found = await signedIn(site)
        const parent = await found.categories().create({ name: 'Guides' })
        const child = await found.categories().create({ name: 'Cooking', parent: parent.id })
        assert.equal(new URL(child.link).pathname, '/category/guides/cooking/')
        assert.deepEqual(
          (await found.categories().param({ parent: parent.id })).map(({ id }: Parsed) => id),
          [child.id],
        )
      },
    },
    {
      name: 'comments and replies as a user',
      async run(site) {
        const found = await signedIn(site)
        const [post] = await found.posts().perPage(1)
        const first = await found.comments().create({ post: post.id, content: 'Agreed, by and large.' })
        const reply = await found.comments().create({ post: post.id, parent: first.id, content: 'Thank you.' })
        const thread = await found.comments().param({ parent: first.id })
        assert.deepEqual(
          thread.map(({ id }: Parsed) => id),
          [reply.id],
        )
        assert.equal((await found.comments().id(first.id).delete({ force: true })).deleted, true)
      },
    },
    {
      name: 'shows errors of the api to its caller',
      async run(site) {
        const [found] = await discovered(site)
        const visitor = await WPAPI.discover(site.origin)
        await assert.rejects(visitor.posts().create({ title: 'x' }), {
          code: 'rest_cannot_create',
          data: { status: 401 },
        })
        await assert.rejects(found.posts().id(999_999).get(), { code: 'rest_post_invalid_id' })
        const wrong = visitor.auth({ username: 'ada', password: 'wrong' })
        await assert.rejects(wrong.users().me().get(), ({ data }: Parsed) => data.status === 401)
      },
    },
  ]
}
