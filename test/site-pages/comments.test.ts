/** Comments below posts: what visitors see, what they send without a script, and what becomes of it. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Storage, StorageUnavailable } from '../../src/contract/storage.ts'
import { full } from '../../src/profiles/full.ts'
import { storeDocument, storeTemplate, widgetElement } from '../support/documents.ts'
import { basic } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const open = async (options: object = { anonymous_comments: true }) => {
  const seed = { ...smallSite, options: { ...smallSite.options, ...options } }
  site = await createTestPages({ profile: full, seed }, { challenge: false })
}

let clock = 0
const comment = async (values: object) => {
  // Visitors write one after the other, and none writes the same twice.
  const { status, body } = await site.as('ada')('POST', '/cms/v2/comments', {
    body: { post: site.ids['post.tide'], content: `Comment ${++clock}.`, status: 'approved', ...values },
  })
  expect(status).toBe(201)
  return body.id as number
}
const send = (path: string, fields: Record<string, string>, headers = {}) =>
  site.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ comment_form: '1', ...fields }).toString(),
  })
const written = { comment_text: 'High water at noon.', comment_name: 'Vera', comment_email: 'vera@example.test' }

describe('a template with a widget of comments', () => {
  const template = async () => {
    await open()
    const { storage } = site.api['~parts']
    const author = site.ids['user.admin'] as number
    const id = await storeTemplate(
      storage,
      'single-post',
      [
        widgetElement('t', 'theme-post-content'),
        widgetElement('w', 'post-comments'),
        widgetElement('x', 'heading', { title: 'End' }),
      ],
      { author },
    )
    await storage.meta.write('post', [{ id, key: '_builder_conditions', value: ['include/singular/post'] }])
  }

  test('has the form for the next one in the widget, with or without comments', async () => {
    await template()
    const order = (text: string) => ['data-id="w"', '<textarea', '>End<'].map((part) => text.indexOf(part))
    const before = order((await site.get('/tide/')).text)
    await comment({ content: 'The first.' })
    const { text } = await site.get('/tide/')
    for (const places of [before, order(text)]) {
      expect(places.includes(-1)).toBe(false)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    }
    expect([text.match(/<textarea/g), text.match(/The first\./g)].map((all) => all?.length)).toEqual([1, 1])
    expect(text).toContain('/tide/feed/')
  })

  test('takes what a visitor writes, and shows the problems of it in the form', async () => {
    await template()
    const sent = await send('/tide/', written)
    expect(sent.status).toBe(303)
    const refused = await send('/tide/', { ...written, comment_email: 'nothing' })
    expect(refused.text).toMatch(/data-id="w".*role="alert".*<textarea[^>]*>High water at noon\.<\/textarea>.*>End</s)
  })

  test('has no form where the site or the post takes no comments', async () => {
    await template()
    await site.api.site.options.write({ anonymous_comments: false })
    expect((await site.get('/tide/')).text).not.toContain('<textarea')
    await site.api.site.options.write({ anonymous_comments: true })
    await site.as('ada')('POST', `/cms/v2/posts/${site.ids['post.tide']}`, { body: { comment_status: 'closed' } })
    expect((await site.get('/tide/')).text).not.toContain('<textarea')
  })
})

describe('a thread', () => {
  test('has the approved comments, oldest first, and replies below what they reply to', async () => {
    await open()
    const first = await comment({ content: 'The first.' })
    const second = await comment({ content: 'The second.' })
    const reply = await comment({ content: 'A reply.', parent: first })
    await comment({ content: 'Not yet.', status: 'hold' })
    await comment({ content: 'Never.', status: 'spam' })
    const { text } = await site.get('/tide/')
    expect([...text.matchAll(/<li id="comment-(\d+)"/g)].map(([, id]) => Number(id))).toEqual([first, reply, second])
    expect(text).toContain('Comments (3)')
    expect(text).not.toMatch(/Not yet|Never\./)
    const nested = text.slice(text.indexOf(`id="comment-${first}"`), text.indexOf(`id="comment-${reply}"`))
    expect(nested).toContain('<ol>')
  })

  test('stops nesting at its last level, and a reply to a hidden comment begins a thread', async () => {
    await open()
    let parent = 0
    for (let depth = 0; depth < 8; depth++) parent = await comment({ parent })
    const hidden = await comment({ status: 'hold' })
    await comment({ parent: hidden, content: 'Orphan.' })
    const { text } = await site.get('/tide/')
    const section = text.slice(text.indexOf('id="comments"'))
    expect(section.match(/<li id="comment-/g)).toHaveLength(9)
    let [level, deepest] = [0, 0]
    for (const [tag] of section.matchAll(/<\/?ol>/g)) {
      level += tag === '<ol>' ? 1 : -1
      deepest = Math.max(deepest, level)
    }
    expect(deepest).toBe(5)
  })

  test('shows what visitors wrote as filtered HTML, and links to no script', async () => {
    await open()
    await comment({
      content: '<b>Bold</b><script>alert(1)</script><img src=x onerror=alert(1)>',
      author_name: '<i>Eve</i>',
    })
    const { text } = await site.get('/tide/')
    const section = text.slice(text.indexOf('id="comments"'))
    expect(section).toContain('<b>Bold</b>')
    expect(section).not.toMatch(/<script|onerror|<i>Eve/)
  })

  test('is absent where nobody has commented and visitors may not', async () => {
    await open({})
    expect((await site.get('/tide/')).text).not.toContain('id="comments"')
    const wide = site.ids['post.wide']
    await open()
    expect(wide).toBeDefined()
    expect((await site.get('/wide/')).text).not.toContain('id="comments"')
  })

  test('follows a document of the page builder, and stays out of templates and locked posts', async () => {
    await open()
    await storeDocument(site, [widgetElement('w', 'heading', { title: 'Built' })])
    expect((await site.get('/a-built-post/')).text).toContain('name="comment_form"')
    expect((await site.get('/locked/')).text).not.toContain('name="comment_form"')
  })
})

describe('a comment of the form', () => {
  test.each(['no', 'perhaps'] as const)('to a storage that fails says what became of it (%s)', async (outcome) => {
    let fails = false
    // It fails once the comment was inserted.
    const failing = (storage: Storage): Storage => ({
      ...storage,
      posts: {
        ...storage.posts,
        read: (ids) => {
          if (fails) throw new StorageUnavailable('the server is away', { written: 'no' })
          return storage.posts.read(ids)
        },
      },
      atomic: async (work, options) => {
        const watched = (transaction: Storage): Storage => ({
          ...transaction,
          records: {
            ...transaction.records,
            insert: (collection, ...values) => {
              fails ||= collection.name === 'comments'
              return transaction.records.insert(collection, ...values)
            },
          },
        })
        const done = await storage.atomic?.((transaction) => work(watched(transaction)), options)
        if (fails) throw new StorageUnavailable('the connection ended', { written: outcome })
        // The cast: the storages of these tests have `atomic`.
        return done as never
      },
    })
    const seed = { ...smallSite, options: { ...smallSite.options, anonymous_comments: true } }
    site = await createTestPages({ profile: full, seed, storage: failing }, { challenge: false })
    const { status, text, headers } = await send('/tide/', written)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(text).toContain(outcome === 'no' ? 'Nothing was written' : 'may have arrived')
    expect(text).not.toContain(outcome === 'no' ? 'may have' : 'again in a moment')
    site.failures.length = 0
  })

  test('to a page that can not be read is 503', async () => {
    let fails = false
    const failing = (storage: Storage): Storage => ({
      ...storage,
      posts: {
        ...storage.posts,
        query: (query) => {
          if (fails) throw new StorageUnavailable('the server is away', { written: 'no' })
          return storage.posts.query(query)
        },
      },
    })
    site = await createTestPages({ profile: full, seed: smallSite, storage: failing }, { challenge: false })
    fails = true
    const { status, headers, text } = await site.get('/tide/')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(text).toContain('try again in a moment')
    site.failures.length = 0
  })

  test('waits for approval, and the reader is told so', async () => {
    await open()
    const { status, location } = await send('/tide/', written)
    expect([status, location]).toEqual([303, 'https://quay.example/tide/?comment=held#content'])
    const told = await site.get('/tide/?comment=held')
    expect(told.text).toContain('once it has been approved')
    expect(told.headers.get('cache-control')).toBe('private, no-store')
    expect(told.text).not.toContain('High water at noon.')
    const { body } = await site.as('ada')('GET', '/cms/v2/comments', { query: { status: 'hold', context: 'edit' } })
    expect(body).toMatchObject([
      { author_name: 'Vera', author_email: 'vera@example.test', content: { raw: 'High water at noon.' } },
    ])
    await site.as('ada')('PUT', `/cms/v2/comments/${body[0].id}`, { body: { status: 'approved' } })
    expect((await site.get('/tide/')).text).toContain('High water at noon.')
    expect((await site.get('/tide/')).text).not.toContain('vera@example.test')
  })

  test('is shown at once where its writer may approve it', async () => {
    await open()
    const { status, location } = await send('/tide/', written, { authorization: basic('ada') })
    expect(status).toBe(303)
    expect(location).toMatch(/^https:\/\/quay\.example\/tide\/#comment-\d+$/)
    expect((await site.get('/tide/')).text).toContain('High water at noon.')
  })

  test('replies to the comment that the address names', async () => {
    await open()
    const parent = await comment({ content: 'When is high water?' })
    const { text } = await site.get(`/tide/?reply=${parent}`)
    expect(text).toContain('Reply to Ada Admin')
    expect(text).toContain(`name="comment_parent" value="${parent}"`)
    await send('/tide/', { ...written, comment_parent: String(parent) }, { authorization: basic('ada') })
    const { body } = await site.visitor('GET', '/cms/v2/comments', { query: { parent } })
    expect(body).toHaveLength(1)
    expect((await site.get('/tide/?reply=99999')).text).not.toContain('comment_parent')
  })

  test('that is refused comes back with what was wrong and what was written', async () => {
    await open()
    const { status, text, headers } = await send('/tide/', { ...written, comment_email: 'no address"><script>' })
    expect(status).toBe(400)
    expect(text).toContain('Your comment was not sent:')
    expect(text).toContain('>High water at noon.</textarea>')
    expect(text).toContain('value="no address&quot;&gt;&lt;script&gt;"')
    expect(headers.get('cache-control')).toBe('private, no-store')
    const empty = await send('/tide/', { ...written, comment_text: ' ' })
    expect(empty.status).toBe(400)
    const twice = [await send('/tide/', written), await send('/tide/', written)]
    expect(twice.map((one) => one.status)).toEqual([303, 409])
  })

  test('is refused on closed posts, where visitors may not write, and from another site with a sign-in', async () => {
    await open()
    expect((await send('/wide/', written)).status).toBe(403)
    expect((await send('/nowhere/', written)).status).toBe(404)
    await site.dispose()
    await open({})
    expect((await send('/tide/', written)).status).toBe(401)
  })
})
