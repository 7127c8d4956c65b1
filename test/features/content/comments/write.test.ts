/** Tests who may comment where, how comments are stored, and which wait for approval. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../../../src/core/declare/errors.ts'
import { createVisitors } from '../../../../src/services/visitors.ts'
import type { Received, TestSite } from '../../../support/site.ts'
import { comments, createCommentedSite, visitorNamed } from './site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createCommentedSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const send = (login: string | null, body: object, to = site) =>
  to.as(login)('POST', comments, { body: { post: to.ids['post.ferry'], ...body } })
const codeOf = ({ status, body }: Received) => [status, body.code]

test('the first comment of a visitor is held, those of an approved name and address pass', async () => {
  const first = await send(null, { content: 'Hello', ...visitorNamed('Tilda') })
  expect([first.status, first.body.status, first.body.author, first.body.author_name]).toEqual([
    201,
    'hold',
    0,
    'Tilda',
  ])
  expect(first.headers.get('location')).toBe(`https://quay.example/api/cms/v2/comments/${first.body.id}`)
  expect(first.body).not.toHaveProperty('author_email')
  await site.as('edith')('POST', `${comments}/${first.body.id}`, { body: { status: 'approved' } })
  const second = await send(null, { content: 'Again', ...visitorNamed('Tilda') })
  expect(second.body.status).toBe('approved')
  const known = await send(null, { content: 'Known', ...visitorNamed('Vera') })
  expect(known.body.status).toBe('approved')
})

test('the address of an approved commenter under another name is held, and a name under another address', async () => {
  const other = { content: 'Buy now', author_name: 'Casino', author_url: 'https://casino.example/' }
  const borrowed = await send(null, { ...other, author_email: 'vera@example.test' })
  expect([borrowed.status, borrowed.body.status]).toEqual([201, 'hold'])
  const sameName = await send(null, { content: 'Me', author_name: 'Vera', author_email: 'else@example.test' })
  expect([sameName.status, sameName.body.status]).toEqual([201, 'hold'])
})

test('the author of a post and moderators are approved at once, another user only after one approved comment', async () => {
  expect((await send('arthur', { content: 'Mine' })).body.status).toBe('approved')
  const edited = await send('edith', { content: 'Ours' })
  expect([edited.body.status, edited.body.content.raw, edited.body.author_email]).toEqual([
    'approved',
    'Ours',
    'edith@example.test',
  ])
  expect((await send('sam', { content: 'Known' })).body.status).toBe('approved')
  expect((await send('connie', { content: 'Held before' })).body.status).toBe('hold')
})

test.each([
  [
    'without a name',
    null,
    { content: 'x', author_email: 'tilda@example.test' },
    400,
    'rest_comment_author_data_required',
  ],
  ['without an address', null, { content: 'x', author_name: 'Tilda' }, 400, 'rest_comment_author_data_required'],
  [
    'with a broken address',
    null,
    { content: 'x', author_name: 'T', author_email: 'broken' },
    400,
    'rest_invalid_param',
  ],
  ['without a content', 'sam', {}, 400, 'rest_comment_content_invalid'],
  ['of blanks', 'sam', { content: '   ' }, 400, 'rest_comment_content_invalid'],
  ['with a number as content', 'sam', { content: 5 }, 400, 'rest_comment_content_invalid'],
  ['with a content of another form', 'sam', { content: { raw: ['x'] } }, 400, 'rest_invalid_param'],
  ['with a long name', 'edith', { content: 'x', author_name: 'n'.repeat(246) }, 400, 'comment_author_column_length'],
  ['with a long text', 'sam', { content: 'x'.repeat(65_526) }, 400, 'comment_content_column_length'],
  ['in the name of another', 'sam', { content: 'x', author: 1 }, 403, 'rest_comment_invalid_author'],
  ['with a network address', 'sam', { content: 'x', author_ip: '10.0.0.1' }, 403, 'rest_comment_invalid_author_ip'],
  ['with a broken network address', 'edith', { content: 'x', author_ip: 'here' }, 400, 'rest_invalid_param'],
  [
    'with a status',
    null,
    { content: 'x', ...visitorNamed('T'), status: 'approved' },
    401,
    'rest_comment_invalid_status',
  ],
  ['by an author that is not there', 'edith', { content: 'x', author: 99999 }, 400, 'rest_comment_author_invalid'],
  ['with a date that is none', 'edith', { content: 'x', date: 'never' }, 400, 'rest_invalid_param'],
  ['of an unknown type', 'edith', { content: 'x', type: 'ping' }, 400, 'rest_invalid_comment_type'],
])('refuses a comment %s', async (_, login, body, status, code) => {
  expect(codeOf(await send(login, body))).toEqual([status, code])
})

test.each([
  ['wide', 'edith', 403, 'rest_comment_closed'],
  ['draft', 'arthur', 403, 'rest_comment_draft_post'],
  ['trashed', null, 403, 'rest_comment_trash_post'],
  ['private-editor', 'arthur', 403, 'rest_cannot_read_post'],
  ['locked', null, 401, 'rest_cannot_read_post'],
])('refuses a comment on the post %s by %s', async (key, login, status, code) => {
  const author = login === null ? visitorNamed('Tilda') : {}
  expect(codeOf(await send(login, { ...author, post: site.ids[`post.${key}`], content: 'x' }))).toEqual([status, code])
})

test('a comment needs a post, and visitors need a site that takes them', async () => {
  expect(codeOf(await site.as('edith')('POST', comments, { body: { content: 'x' } }))).toEqual([
    403,
    'rest_comment_invalid_post_id',
  ])
  await site.api.site.options.write({ anonymous_comments: false })
  expect(codeOf(await send(null, { content: 'x', ...visitorNamed('Tilda') }))).toEqual([
    401,
    'rest_comment_login_required',
  ])
})

test('the same text of the same author in the same place is refused once', async () => {
  expect((await send('sam', { content: 'Twice' })).status).toBe(201)
  expect(codeOf(await send('sam', { content: 'Twice' }))).toEqual([409, 'comment_duplicate'])
  expect((await send('sam', { content: 'Twice', parent: site.ids['comment.first'] })).status).toBe(201)
  expect((await send('arthur', { content: 'Twice' })).status).toBe(201)
})

test('a form from a page is a comment', async () => {
  const body = new URLSearchParams({
    post: String(site.ids['post.ferry']),
    content: 'From a form & more',
    ...visitorNamed('Vera'),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body: made } = await site.visitor('POST', comments, { body: body.toString(), headers })
  expect([status, made.status, made.content.rendered]).toEqual([201, 'approved', '<p>From a form &amp; more</p>\n'])
})

test('markup outside the short list goes, links get a relation, and shortcodes stay text', async () => {
  const html =
    '<b>Bold</b> <script>alert(1)</script><a href="http://x.test" onclick="y()">link</a> <img src=x> [gallery]'
  const { body } = await send('arthur', { content: html })
  const { content } = (await site.as('edith')('GET', `${comments}/${body.id}`, { query: 'context=edit' })).body
  expect(content.raw).toBe('<b>Bold</b> alert(1)<a href="http://x.test" rel="nofollow ugc">link</a>  [gallery]')
  expect(content.rendered).toContain('[gallery]')
  const edited = await send('edith', { content: '<h1>Big</h1><script>alert(1)</script>' })
  expect(edited.body.content.raw).toBe('<h1>Big</h1>alert(1)')
})

test('a site of the author that is no web address is dropped', async () => {
  const { body } = await send('edith', { content: 'x', author_url: 'javascript:alert(1)' })
  expect(body.author_url).toBe('')
})

test('a hook marks spam, and may refuse a comment', async () => {
  const strict = await createCommentedSite({
    hooks: {
      'comment.saving': ({ values }) => {
        if (values.content.includes('worse')) throw new ApiError('comment_refused', 'No.', 403)
        return values.content.includes('pills') ? { values: { ...values, status: 'spam' } } : undefined
      },
    },
  })
  const marked = await send('sam', { content: 'Cheap pills' }, strict)
  expect([marked.status, marked.body.status]).toEqual([201, 'spam'])
  expect(codeOf(await send('sam', { content: 'worse' }, strict))).toEqual([403, 'comment_refused'])
  await strict.dispose()
})

test('visitors are limited by their network, users by their account, moderators not at all', async () => {
  const visitors = createVisitors({
    addressOf: ({ header }) => header('x-real-ip'),
    clock: () => site.clock.now,
  })
  const limited = await createCommentedSite({ services: { visitors } })
  const from = async (ip: string, content: string) => {
    const body = { post: limited.ids['post.ferry'], content, ...visitorNamed('Vera') }
    const { status, body: sent } = await limited.visitor('POST', comments, { body, headers: { 'x-real-ip': ip } })
    return [status, sent.code ?? sent.status]
  }
  for (let n = 0; n < 10; n++) expect(await from('10.1.1.1', `Number ${n}`)).toEqual([201, 'approved'])
  expect(await from('10.1.1.1', 'One more')).toEqual([429, 'comment_flood'])
  expect(await from('10.1.1.2', 'One more')).toEqual([201, 'approved'])
  const { body } = await limited.as('edith')('GET', comments, { query: 'context=edit&per_page=1&orderby=id' })
  expect(body[0].author_ip).toBe('10.1.1.2')
  for (let n = 0; n < 61; n++) expect((await send('edith', { content: `By ${n}` }, limited)).status).toBe(201)
  await limited.dispose()
})

test('a site that closes sends the mails of its comments first', async () => {
  const sent: string[] = []
  const send = async ({ to }: { readonly to: string }) => {
    await new Promise((resolve) => setImmediate(resolve))
    sent.push(to)
  }
  const closing = await createCommentedSite({ services: { mail: { send } } })
  const body = { post: closing.ids['post.ferry'], content: 'Hello', ...visitorNamed('Tilda') }
  expect((await closing.visitor('POST', comments, { body })).status).toBe(201)
  await closing.api.close()
  expect([sent, closing.failures]).toEqual([['arthur@example.test'], []])
  await closing.dispose()
})

test('the author of the post gets a mail after the comment is stored', async () => {
  const sent: { to: string; subject: string; text: string }[] = []
  const mailing = await createCommentedSite({ services: { mail: { send: (message) => void sent.push(message) } } })
  await send('sam', { content: 'Hello <b>you</b>' }, mailing)
  await send('sam', { content: '  ' }, mailing)
  await send('arthur', { content: 'My own' }, mailing)
  expect(sent).toMatchObject([
    { to: 'arthur@example.test', subject: '[Quay Notes] New comment on "The ferry is late"' },
  ])
  expect(sent[0]?.text).toContain('Hello you')
  await mailing.dispose()
})

test('notes are of those who may edit the post, and are resolved by a status', async () => {
  const note = { type: 'note', status: 'hold', content: 'Check this' }
  expect(codeOf(await send('sam', note))).toEqual([403, 'rest_cannot_create_note'])
  const made = await send('arthur', note)
  expect([made.status, made.body.type, made.body.status]).toEqual([201, 'note', 'hold'])
  const path = `${comments}/${made.body.id}`
  const answer = { type: 'note', parent: made.body.id, meta: { _cms_note_status: 'resolved' } }
  expect((await send('edith', answer)).body.meta).toEqual({ _cms_note_status: 'resolved' })
  const resolved = await site.as('arthur')('POST', path, { body: { status: 'approved' } })
  expect(resolved.body.status).toBe('approved')
  expect(codeOf(await site.visitor('GET', path))).toEqual([401, 'rest_cannot_read'])
  const query = { post: site.ids['post.ferry'] as number, type: 'note', status: 'all', context: 'edit' }
  const listed = await site.as('arthur')('GET', comments, { query })
  expect(listed.body.map(({ type }: { type: string }) => type)).toEqual(['note', 'note'])
  expect(codeOf(await site.as('connie')('GET', comments, { query }))).toEqual([403, 'rest_forbidden_context'])
  const plain = await site.visitor('GET', comments, { query: { post: query.post } })
  expect(plain.headers.get('x-cms-total')).toBe('2')
  const draft = { ...note, post: site.ids['post.draft'] }
  expect((await send('arthur', draft)).status).toBe(201)
})
