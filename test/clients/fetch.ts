/** Sends the requests of front ends without a client library. */
import assert from 'node:assert/strict'
import type { Parsed } from '../support/parsed.ts'
import { ask, asUser, authorization } from './requests.ts'
import { type Check, picture } from './site.ts'

const form = (fields: { readonly [name: string]: string }): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

export const fetchChecks: readonly Check[] = [
  {
    name: 'the front page leads to the api, by its Link and by a route in its query',
    async run({ origin }) {
      const front = await fetch(`${origin}/`, { method: 'HEAD' })
      const [, root] = /<([^>]+)>; rel="https:\/\/api\.w\.org\/"/.exec(front.headers.get('link') ?? '') ?? []
      assert.equal(root, `${origin}/wp-json/`)
      const asked = await fetch(`${origin}/?rest_route=/wp/v2/posts&per_page=2`)
      assert.equal(((await asked.json()) as Parsed).length, 2)
    },
  },
  {
    name: 'a stale nonce beside Basic is ignored',
    async run(site) {
      const { status, body } = await ask(
        site,
        '/users/me',
        asUser(site, undefined, { headers: { 'X-WP-Nonce': 'stale' } }),
      )
      assert.deepEqual([status, body.slug], [200, 'ada-lindqvist'])
    },
  },
  {
    name: 'a visitor comments by a form, and waits for approval',
    async run(site) {
      const { body: posts } = await ask(site, '/posts/?_embed=true&per_page=1')
      const post = String(posts[0].id)
      const fields = { post, author_name: 'Vera', author_email: 'vera@visitor.example', content: 'A fine letter.' }
      const anonymous = await ask(site, '/comments', form(fields))
      assert.equal(anonymous.status, 201)
      const { body: held } = await ask(site, '/comments?status=hold', asUser(site))
      assert.ok(held.some(({ id }: Parsed) => id === anonymous.body.id))
      const { body } = await ask(site, `/comments/${anonymous.body.id}`, asUser(site, { status: 'approved' }))
      assert.equal(body.status, 'approved')
      const { body: shown } = await ask(site, `/comments?post=${post}`)
      assert.ok(shown.some(({ author_name }: Parsed) => author_name === 'Vera'))
    },
  },
  {
    name: 'an attachment has its page below the post that it belongs to',
    async run(site) {
      const { body: posts } = await ask(site, '/posts?per_page=1')
      const file = new FormData()
      file.set('file', new File([picture], 'quay.png', { type: 'image/png' }))
      file.set('post', String(posts[0].id))
      const headers = { Authorization: authorization(site) }
      const { status, body } = await ask(site, '/media', { method: 'POST', headers, body: file })
      assert.deepEqual([status, body.post], [201, posts[0].id])
      assert.equal(body.link, `${posts[0].link}quay/`)
    },
  },
  {
    name: 'a menu is made with one batch of items, each below the place that it names',
    async run(site) {
      const { body: menu } = await ask(site, '/menus', asUser(site, { name: 'Footer' }))
      const requests = ['Home', 'Letters', 'Contact'].map((title, at) => ({
        method: 'POST',
        path: '/wp/v2/menu-items',
        body: {
          title,
          url: `https://millbrook.example/${at}`,
          type: 'custom',
          status: 'publish',
          menus: menu.id,
          menu_order: at + 1,
        },
      }))
      const batch = await fetch(
        `${site.origin}/wp-json/batch/v1`,
        asUser(site, { validation: 'require-all-validate', requests }),
      )
      const { responses } = (await batch.json()) as Parsed
      assert.deepEqual([batch.status, responses.map(({ status }: Parsed) => status)], [207, [201, 201, 201]])
      const { body: items } = await ask(site, `/menu-items?menus=${menu.id}`, asUser(site))
      assert.deepEqual(
        items.map(({ title }: Parsed) => title.rendered),
        ['Home', 'Letters', 'Contact'],
      )
    },
  },
]
