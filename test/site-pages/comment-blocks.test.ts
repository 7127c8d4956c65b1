/** Comments that blocks of a post show, and their form: what visitors see and send, in responses and on pages. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { smallSite } from '../support/small-site.ts'
import { recorded, type StorageCall } from '../support/spied-storage.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
let calls: StorageCall[]
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

async function open(options: object = { anonymous_comments: true }): Promise<void> {
  const seed = { ...smallSite, options: { ...smallSite.options, ...options } }
  const record = recorded()
  calls = record.calls
  site = await createTestPages({ profile: full, seed, storage: record.wrap }, { challenge: false })
}

const json = (attributes: object) => JSON.stringify(attributes)
const pair = (name: string, inner: string, attributes: object = {}) =>
  `<!-- cms:${name} ${json(attributes)} -->${inner}<!-- /cms:${name} -->`
const single = (name: string, attributes: object = {}) => `<!-- cms:${name} ${json(attributes)} /-->`
const parts = ['avatar', 'comment-author-name', 'comment-date', 'comment-content', 'comment-reply-link']
const template = pair('comment-template', parts.map((name) => single(name)).join(''))
const links = pair('comments-pagination', single('comments-pagination-previous') + single('comments-pagination-next'))
const list = pair('comments', `<div class="cms-block-comments">${single('comments-title')}${template}${links}</div>`)
const form = single('post-comments-form')

async function saved(content: string, more: object = {}): Promise<number> {
  const body = { title: 'Talk', slug: 'talk', status: 'publish', content, ...more }
  const { status, body: post } = await site.as('ada')('POST', '/cms/v2/posts', { body })
  expect(status).toBe(201)
  return post.id
}

let clock = 0
async function comment(post: number, values: object = {}): Promise<number> {
  const body = { post, content: `Comment ${++clock}.`, status: 'approved', ...values }
  const { status, body: made } = await site.as('ada')('POST', '/cms/v2/comments', { body })
  expect(status).toBe(201)
  return made.id
}

const shown = async (id: number): Promise<string> =>
  (await site.visitor('GET', `/cms/v2/posts/${id}`)).body.content.rendered
const idsIn = (text: string) => [...text.matchAll(/<li id="comment-(\d+)"/g)].map(([, id]) => Number(id))
const send = (path: string, fields: Record<string, string>) =>
  site.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ comment_form: '1', ...fields }).toString(),
  })
const written = { comment_text: 'High water at noon.', comment_name: 'Vera', comment_email: 'vera@example.test' }

test('the list of a block takes the place of that of the page, with replies below what they reply to', async () => {
  await open()
  const id = await saved(list + form)
  const first = await comment(id, { content: 'The <b>first</b>.<script>alert(1)</script>' })
  const second = await comment(id)
  const reply = await comment(id, { parent: first })
  await comment(id, { content: 'Not yet.', status: 'hold' })
  const page = (await site.get('/talk/')).text
  for (const html of [page, await shown(id)]) {
    expect(idsIn(html)).toEqual([first, reply, second])
    expect(html).toContain('3 comments on “Talk”')
    expect(html).toMatch(/The <b>first<\/b>\.[\s\S]*<ol class="children"><li id="comment-/)
    expect(html).not.toMatch(/<script>alert|Not yet/)
    expect(html).toContain(`/talk/?reply=${first}#write-comment"`)
  }
  expect(page).not.toContain('site-comments')
  expect(page).toMatch(/blocks\/layout_[\w-]*comment-template_[\w-]*post-comments-form/)
  expect(page.match(/<form class="comment-form"/g)).toHaveLength(1)
})

test('its form sends a comment and a reply; a refused one is shown with what was entered', async () => {
  await open()
  const id = await saved(list + form)
  const first = await comment(id)
  const page = (await site.get(`/talk/?reply=${first}`)).text
  expect(page).toContain(`<input type="hidden" name="comment_parent" value="${first}">`)
  expect(page).toContain('Reply to Ada Admin')
  expect((await site.get('/talk/?reply=999')).text).not.toContain('comment_parent')
  const names = [...page.matchAll(/ name="(comment_\w+)"/g)].map(([, name]) => name)
  expect(names).toEqual([
    ...['comment_form', 'comment_parent', 'comment_text', 'comment_name', 'comment_email', 'comment_url'],
  ])
  expect((await send('/talk/', { ...written, comment_parent: String(first) })).status).toBe(303)
  const { body: stored } = await site.as('ada')('GET', '/cms/v2/comments', { query: { post: id, status: 'hold' } })
  expect(stored).toMatchObject([{ parent: first, author_name: 'Vera' }])
  const refused = await send('/talk/', { ...written, comment_text: '' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('value="Vera"')
  expect(refused.text.match(/name="comment_text"/g)).toHaveLength(1)
  expect(refused.text.match(/id="write-comment"/g)).toHaveLength(1)
})

test('elsewhere than on the page of the post a link leads to the form', async () => {
  await open()
  const id = await saved(form)
  const link = '<a href="https://quay.example/talk/#write-comment">Write a comment</a>'
  expect(await shown(id)).toContain(link)
  expect(await shown(id)).not.toContain('<form')
  const query = pair('query', pair('post-template', form), { query: { search: 'Talk' } })
  await site.as('ada')('POST', '/cms/v2/pages', { body: { title: 'P', slug: 'p', status: 'publish', content: query } })
  const page = (await site.get('/p/')).text
  expect(page).toContain(link)
  expect(page).not.toContain('comment-form"')
  expect((await site.get('/talk/')).text).toContain('<form class="comment-form"')
})

test('closed and protected posts take and show none', async () => {
  await open()
  const closed = await saved(list + form, { comment_status: 'closed' })
  expect(await shown(closed)).toContain('Comments are closed.')
  expect((await site.get('/talk/')).text).not.toMatch(/comment-form"|cms-block-comments/)
  const id = await saved(`<p>Open</p>${list}${form}${single('post-comments-link')}${single('post-comments-count')}`, {
    slug: 'locked',
    password: 'rope',
  })
  await comment(id, { content: 'Behind the password.', password: 'rope' })
  const lists = pair('query', pair('post-template', list + form + single('post-comments-link')), {
    query: { search: 'Talk', perPage: 20 },
  })
  const around = await saved(lists, { title: 'Around', slug: 'around' })
  expect(await shown(around)).not.toContain('Behind the password.')
  expect((await site.get('/around/')).text).not.toContain('Behind the password.')
  const { body } = await site.visitor('GET', `/cms/v2/posts/${id}`, { query: { password: 'rope' } })
  expect(body.content.rendered).toContain('Behind the password.')
})

test('a site whose visitors may not comment draws no form and no replies', async () => {
  await open({ anonymous_comments: false })
  const id = await saved(list + form)
  const first = await comment(id)
  const page = (await site.get('/talk/')).text
  expect(idsIn(page)).toEqual([first])
  expect(page).not.toMatch(/comment-form"|reply=/)
})

test('long lists have pages, the newest first', async () => {
  await open()
  const id = await saved(list)
  const storage = site.api['~parts'].storage
  const first = await comment(id, { content: 'The oldest.' })
  const { commentsCollection } = await import('../../src/site/comments/comment.ts')
  const row = (index: number) => ({
    ...{ post: id, parent: 0, author: 0, author_name: `Vera ${index}`, content: `Row ${index}`, status: 'approved' },
    ...{ type: 'comment', date: `2024-06-16T10:${String(index % 60).padStart(2, '0')}:${index < 60 ? '00' : '30'}` },
  })
  await storage.records.insert(
    commentsCollection,
    Array.from({ length: 59 }, (_, index) => row(index)),
  )
  const newest = (await site.get('/talk/')).text
  expect(idsIn(newest)).toHaveLength(10)
  expect(newest).toContain('60 comments')
  expect(newest).toContain('/talk/?comments-page=1"')
  const oldest = (await site.get('/talk/?comments-page=1')).text
  expect(idsIn(oldest)).toHaveLength(50)
  expect(oldest).toContain('The oldest.')
  expect(idsIn(oldest)[0]).toBe(first)
  expect(oldest).toMatch(
    /href="https:\/\/quay\.example\/talk\/"[^>]*comments-pagination-next|comments-pagination-next"[^>]*href="https:\/\/quay\.example\/talk\/"/,
  )
})

test('older texts without a template have one, and the comments of a list are counted in one read', async () => {
  await open()
  const older = await saved(single('post-comments'))
  const first = await comment(older, { author_url: 'https://vera.example/' })
  const html = await shown(older)
  expect(idsIn(html)).toEqual([first])
  expect(html).toContain('cms-block-comment-content')
  for (const perPage of [1, 6]) {
    const inner = pair('post-template', single('post-comments-count') + single('post-comments-link'))
    const content = pair('query', inner, { query: { perPage, sticky: 'ignore' } })
    const id = await saved(content, { title: 'Counts', slug: '', date: '2020-01-01T00:00:00' })
    calls.length = 0
    const rendered = await shown(id)
    expect(rendered.match(/<li class="cms-block-post /g)).toHaveLength(perPage)
    expect(rendered).toContain('>1 comment<')
    const counts = calls.filter(({ name, args: [collection] }) => {
      return name === 'records.query' && (collection as { readonly name: string }).name === 'comments'
    })
    expect(counts).toHaveLength(1)
  }
})
