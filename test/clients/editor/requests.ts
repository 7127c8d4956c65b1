/** Sends the requests of the block editor besides writing: rights, terms, notes on blocks, edits of pictures, the theme. */
import assert from 'node:assert/strict'
import type { Parsed } from '../../support/parsed.ts'
import { ask, asUser, authorization } from '../requests.ts'
import { type Check, picture, type Site } from '../site.ts'

const allowed = ({ headers }: { readonly headers: Headers }) => headers.get('allow')?.split(', ') ?? []

const newPost = async (site: Site, fields: object = {}): Promise<Parsed> =>
  (await ask(site, '/posts', asUser(site, { title: 'Draft', ...fields }))).body

export const editorRequests: readonly Check[] = [
  {
    name: 'Allow of records, collections and settings decides the buttons',
    async run(site) {
      const post = await newPost(site, { status: 'publish' })
      const record = await ask(site, `/posts/${post.id}?context=edit`, asUser(site))
      assert.deepEqual(allowed(record), ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      assert.deepEqual(record.body._links.self[0].targetHints.allow, allowed(record))
      assert.deepEqual(allowed(await ask(site, `/posts/${post.id}`)), ['GET'])
      for (const path of ['/posts', '/pages', '/media', '/blocks', '/categories']) {
        const options = { method: 'OPTIONS' }
        assert.ok(allowed(await ask(site, path, asUser(site, undefined, options))).includes('POST'), path)
        assert.ok(!allowed(await ask(site, path, options)).includes('POST'), path)
      }
      assert.ok(allowed(await ask(site, '/settings', asUser(site, undefined, { method: 'OPTIONS' }))).includes('POST'))
    },
  },
  {
    name: 'a title goes through the editor to the letter',
    async run(site) {
      for (const raw of ['Nets &amp; &lt;knots&gt;', 'a & b', '5 > 3', '&amp;amp;', '“quoted”']) {
        const post = await newPost(site, { title: raw })
        assert.equal(post.title.raw, raw)
        const { body } = await ask(site, `/posts/${post.id}`, asUser(site, { title: post.title.raw }))
        assert.equal(body.title.raw, raw)
      }
    },
  },
  {
    name: 'a hundred terms are made in four batches of 25, and the sidebar counts their pages',
    async run(site) {
      for (let batch = 0; batch < 4; batch++) {
        const requests = Array.from({ length: 25 }, (_, at) => ({
          ...{ method: 'POST', path: '/wp/v2/tags' },
          body: { name: `Batch tag ${batch * 25 + at}` },
        }))
        const sent = asUser(site, { validation: 'require-all-validate', requests })
        const response = await fetch(`${site.origin}/wp-json/batch/v1`, sent)
        const { responses } = (await response.json()) as Parsed
        assert.ok(responses.every(({ status }: Parsed) => status === 201))
      }
      const query = 'search=batch+tag&per_page=30&orderby=name&order=asc&_fields=id,name'
      const seen: string[] = []
      const { headers } = await ask(site, `/tags?${query}`)
      assert.deepEqual([headers.get('x-wp-total'), headers.get('x-wp-totalpages')], ['100', '4'])
      for (let page = 1; page <= 4; page++) {
        seen.push(...(await ask(site, `/tags?${query}&page=${page}`)).body.map(({ name }: Parsed) => name))
      }
      assert.equal(new Set(seen).size, 100)
    },
  },
  {
    name: 'notes on blocks are held comments, which are resolved, and which no reader sees',
    async run(site) {
      const post = await newPost(site, { status: 'publish' })
      const note = { post: post.id, content: 'Shorter?', type: 'note', status: 'hold', parent: 0 }
      const { status, body: made } = await ask(site, '/comments', asUser(site, note))
      assert.deepEqual([status, made.type, made.status], [201, 'note', 'hold'])
      const list = `/comments?post=${post.id}&type=note&status=all&context=edit&per_page=100`
      assert.deepEqual(
        (await ask(site, list, asUser(site))).body.map(({ id }: Parsed) => id),
        [made.id],
      )
      const resolved = await ask(site, `/comments/${made.id}`, asUser(site, { status: 'approved' }))
      assert.equal(resolved.body.status, 'approved')
      assert.deepEqual((await ask(site, `/comments?post=${post.id}`)).body, [])
      assert.equal((await ask(site, `/comments/${made.id}`)).status, 401)
    },
  },
  {
    name: 'preferences are kept with the user',
    async run(site) {
      const meta = { persisted_preferences: { core: { fixedToolbar: true }, _modified: '2026-01-01T00:00:00.000Z' } }
      const { status } = await ask(site, '/users/me', asUser(site, { meta }, { method: 'PUT' }))
      assert.equal(status, 200)
      const { body } = await ask(site, '/users/me?context=edit', asUser(site))
      assert.deepEqual(body.meta.persisted_preferences, meta.persisted_preferences)
      await ask(site, '/users/me', asUser(site, { meta: { persisted_preferences: {} } }, { method: 'PUT' }))
    },
  },
  {
    name: 'a rotated picture is a new one, with the address of its file',
    async run(site) {
      const headers = {
        ...{ Authorization: authorization(site), 'Content-Type': 'image/png' },
        'Content-Disposition': 'attachment; filename="turned.png"',
      }
      const { body: sent } = await ask(site, '/media', { method: 'POST', headers, body: picture })
      const modifiers = [{ type: 'rotate', args: { angle: 90 } }]
      const edit = asUser(site, { src: sent.source_url, modifiers })
      const { status, body: turned } = await ask(site, `/media/${sent.id}/edit`, edit)
      assert.equal(status, 201)
      assert.notEqual(turned.id, sent.id)
      assert.deepEqual([turned.media_details.width, turned.media_details.height], [3, 4])
      assert.equal((await fetch(turned.source_url)).status, 200)
    },
  },
  {
    name: 'the active theme says what it supports',
    async run(site) {
      const { status, body } = await ask(site, '/themes?context=edit&status=active', asUser(site))
      assert.equal(status, 200)
      assert.equal(body[0].status, 'active')
      assert.ok(body[0].theme_supports['post-thumbnails'])
      assert.ok(Array.isArray(body[0].theme_supports.formats))
    },
  },
]
