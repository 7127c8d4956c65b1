/** Moderation, removal, the post's trash, and comments from inside the process. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { content } from '../../../../src/profiles/content.ts'
import type { Comment } from '../../../../src/site/comments/comment.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'
import { comments, createCommentedSite, visitorNamed } from './site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createCommentedSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const pathOf = (key: string) => `${comments}/${site.ids[`comment.${key}`]}`
const statusOf = async (key: string) => (await site.as('edith')('GET', pathOf(key))).body.status

test('a comment leaves spam and trash by a status, and returns to the one before', async () => {
  const edith = site.as('edith')
  const walk = ['hold', 'spam', 'unspam', 'trash', 'untrash', '1', '0', 'bogus', 'approve']
  const seen: string[] = []
  for (const status of walk) {
    seen.push((await edith('POST', pathOf('first'), { body: { status } })).body.status)
  }
  expect(seen).toEqual(['hold', 'spam', 'hold', 'trash', 'hold', 'approved', 'hold', 'hold', 'approved'])
})

test('a changed text is cleaned and may not become empty', async () => {
  const arthur = site.as('arthur')
  const changed = await arthur('POST', pathOf('first'), { body: { content: '<h1>New</h1>' } })
  expect(changed.body.content.raw).toBe('New')
  const empty = await arthur('POST', pathOf('first'), { body: { content: '' } })
  expect([empty.status, empty.body.code]).toEqual([400, 'rest_comment_content_invalid'])
  const other = await arthur('POST', pathOf('first'), { body: { author: site.ids['user.admin'] } })
  expect([other.status, other.body.code]).toEqual([403, 'rest_comment_invalid_author'])
  const moved = await arthur('POST', pathOf('first'), { body: { post: 99999 } })
  expect([moved.status, moved.body.code]).toEqual([403, 'rest_comment_invalid_post_id'])
})

test('a comment never lies below its own replies', async () => {
  const parent = site.ids['comment.reply']
  const { body } = await site.as('edith')('POST', pathOf('first'), { body: { parent } })
  expect(body.parent).toBe(0)
})

test('a reply that moves to another post stays a reply, and so does one whose text changes', async () => {
  const edith = site.as('edith')
  const other = (await edith('POST', '/cms/v2/posts', { body: { title: 'Quay', status: 'publish' } })).body.id
  const first = site.ids['comment.first']
  const set = async (body: object) => {
    const { body: changed } = await edith('PUT', pathOf('reply'), { body })
    return [changed.post, changed.parent]
  }
  expect(await set({ post: other })).toEqual([other, first])
  expect(await set({ content: 'Other words' })).toEqual([other, first])
  // As a client does that sends what it has read.
  expect(await set({ post: other, parent: first })).toEqual([other, first])
  expect(await set({ parent: 0 })).toEqual([other, 0])
  // A reply is not made to a comment on another post.
  expect(await set({ parent: first })).toEqual([other, 0])
  expect(await set({ post: site.ids['post.ferry'], parent: first })).toEqual([site.ids['post.ferry'], first])
})

test('a comment keeps its type: another one is 404, after the rights', async () => {
  const edith = site.as('edith')
  const note = { post: site.ids['post.ferry'], content: 'Shorter.', type: 'note' }
  const noted = (await edith('POST', comments, { body: note })).body
  const change = async (requester: typeof edith, path: string, body: object) => {
    const { status, body: answer } = await requester('POST', path, { body })
    return status === 200 ? [200, answer.type] : [status, answer.code]
  }
  const content = 'Changed'
  for (const type of ['note', 'pingback', 'review', '']) {
    expect(await change(edith, pathOf('first'), { type, content })).toEqual([404, 'rest_comment_invalid_type'])
  }
  const path = `${comments}/${noted.id}`
  expect(await change(edith, path, { type: 'comment', content })).toEqual([404, 'rest_comment_invalid_type'])
  expect(await change(site.as('sam'), pathOf('first'), { type: 'review' })).toEqual([403, 'rest_cannot_edit'])
  expect((await edith('GET', pathOf('first'))).body.content.rendered).toContain('Words of first')
  expect(await change(edith, pathOf('first'), { type: 'comment', content })).toEqual([200, 'comment'])
  expect(await change(edith, path, { type: 'note', content })).toEqual([200, 'note'])
})

test('trash answers the comment, a second one 410, removal what was there; replies move up', async () => {
  const edith = site.as('edith')
  expect((await edith('DELETE', pathOf('first'))).body.status).toBe('trash')
  const again = await edith('DELETE', pathOf('first'))
  expect([again.status, again.body.code]).toEqual([410, 'rest_already_trashed'])
  const removed = await edith('DELETE', pathOf('first'), { query: 'force=true' })
  expect(removed.body).toMatchObject({ deleted: true, previous: { author_name: 'Vera' } })
  expect((await edith('GET', pathOf('first'))).body.code).toBe('rest_comment_invalid_id')
  expect((await edith('GET', pathOf('reply'))).body.parent).toBe(0)
})

test('comments follow their post into the trash and out of it, and go with it', async () => {
  const edith = site.as('edith')
  const post = `/cms/v2/posts/${site.ids['post.ferry']}`
  await edith('DELETE', post)
  expect([await statusOf('first'), await statusOf('held')]).toEqual(['post-trashed', 'post-trashed'])
  expect((await site.visitor('GET', pathOf('first'))).status).toBe(401)
  await edith('POST', post, { body: { status: 'publish' } })
  expect([await statusOf('first'), await statusOf('held'), await statusOf('spam')]).toEqual([
    'approved',
    'hold',
    'spam',
  ])
  await edith('DELETE', post, { query: 'force=true' })
  expect((await edith('GET', pathOf('first'))).status).toBe(404)
  expect((await edith('GET', pathOf('page'))).status).toBe(200)
})

test('a batch takes no comments', async () => {
  const requests = [{ method: 'POST', path: comments, body: { content: 'x' } }]
  const { body } = await site.as('edith')('POST', '/batch/v1', { body: { requests } })
  expect(body.responses[0].body.code).toBe('rest_batch_not_allowed')
})

test('events say what happened, after the commit', async () => {
  const seen: string[] = []
  for (const name of ['comment.created', 'comment.approved', 'comment.trashed', 'comment.deleted'] as const) {
    site.api.on(name, () => void seen.push(name))
  }
  const body = { post: site.ids['post.ferry'], content: 'Hello', ...visitorNamed('Tilda') }
  const { body: made } = await site.visitor('POST', comments, { body })
  const edith = site.as('edith')
  await edith('POST', `${comments}/${made.id}`, { body: { status: 'approved' } })
  await edith('DELETE', `${comments}/${made.id}`)
  await edith('DELETE', `${comments}/${made.id}`, { query: 'force=true' })
  await edith('POST', comments, { body: { post: site.ids['post.ferry'], content: ' ' } })
  expect(seen).toEqual(['comment.created', 'comment.approved', 'comment.trashed', 'comment.deleted'])
})

interface CommentsOfSite {
  readonly comments: {
    create(fields: object, options?: object): Promise<Comment>
    update(id: number, changes: object, options?: object): Promise<Comment>
    remove(id: number, options?: object): Promise<void>
    list(filter?: object): Promise<Comment[]>
  }
}

test('api.site.comments has the rules of the routes', async () => {
  // The cast: the test site has the type of another profile.
  const api = (site.api.site as unknown as CommentsOfSite).comments
  const post = site.ids['post.ferry'] as number
  const asSam = { as: site.ids['user.subscriber'] }
  const made = await api.create({ post, content: '<h1>From</h1> inside' }, asSam)
  expect(made).toMatchObject({ content: 'From inside', status: 'approved', authorName: 'Sam Subscriber' })
  await expect(api.create({ post, content: 'From inside' }, asSam)).rejects.toMatchObject({ code: 'comment_duplicate' })
  await expect(api.create({ post, content: 'x' }, { as: 'visitor' })).rejects.toMatchObject({
    code: 'rest_comment_author_data_required',
  })
  await expect(api.update(made.id, { content: 'x' }, asSam)).rejects.toMatchObject({ code: 'rest_cannot_edit' })
  expect((await api.update(made.id, { status: 'spam' })).status).toBe('spam')
  expect((await api.list({ post, status: 'spam' })).map(({ id }) => id)).toContain(made.id)
  await api.remove(made.id, { force: true })
  await expect(api.update(made.id, { content: 'x' })).rejects.toMatchObject({ code: 'rest_comment_invalid_id' })
})

test('an export has the comments, and a seed of it has equal ones', async () => {
  const document = await site.api.site.export()
  const copy = await createTestSite({ profile: content, seed: document })
  const shown = async (of: TestSite) => {
    const { body } = await of.as('edith')('GET', comments, { query: 'status=any&context=edit&orderby=id&order=asc' })
    return body.map(({ author_email, content, date_gmt, status }: Record<string, unknown>) => ({
      ...{ author_email, content, date_gmt, status },
    }))
  }
  const credential = await copy.api.site.passwords.create(copy.ids['user.edith'] as number, 'Copy')
  expect(credential.password).not.toBe('')
  expect(await shown(copy)).toEqual(await shown(site))
  await copy.dispose()
})
