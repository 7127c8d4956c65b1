/** Runs the hooks of a host before a change, inside its transaction, and after it. */
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../../../src/core/declare/errors.ts'
import type { PostChange } from '../../../../src/features/content/posts/model.ts'
import type { SiteHooks } from '../../../../src/host/hooks.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'
import { recorded } from '../../../support/spied-storage.ts'
import { template } from '../../builder/site-editor/fixture.ts'

let site: TestSite
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

async function openSite(hooks: SiteHooks, options: TestSiteOptions = {}) {
  site = await createTestSite({ hooks, profile: d2, ...options })
  return { ...site, ada: site.as('ada') }
}

const published = async () => (await site.visitor('GET', '/cms/v2/posts')).headers.get('x-cms-total')

test('writes the change that a hook returns, in the response and in the storage', async () => {
  const { ada, visitor } = await openSite({
    'post.saving': (change) => ({ ...change, values: { ...change.values, title: change.values.title.toUpperCase() } }),
  })
  const created = await ada('POST', '/cms/v2/posts', { body: { title: 'High tide', status: 'publish' } })
  expect(created).toMatchObject({ status: 201, body: { title: { raw: 'HIGH TIDE' } } })
  const path = `/cms/v2/posts/${created.body.id}`
  expect((await visitor('GET', path)).body.title.rendered).toBe('HIGH TIDE')
  const updated = await ada('POST', path, { body: { title: 'Ebb' } })
  expect(updated).toMatchObject({ status: 200, body: { title: { raw: 'EBB' } } })
  expect((await visitor('GET', path)).body.title.rendered).toBe('EBB')
})

test('refuses a change with the error of a hook, and writes nothing', async () => {
  const { ada, api } = await openSite({
    'post.saving': ({ values }) => {
      if (/casino/i.test(values.content)) throw new ApiError('harbour_spam', 'No advertisements.', 422)
    },
  })
  const events: string[] = []
  api.on('post.created', () => events.push('created'))
  const before = await published()
  const body = { title: 'Win', content: 'The best CASINO', status: 'publish' }
  expect(await ada('POST', '/cms/v2/posts', { body })).toMatchObject({ status: 422, body: { code: 'harbour_spam' } })
  expect(await published()).toBe(before)
  expect(events).toEqual([])
})

test('sees the stored post of an update, the user, and a storage inside the transaction', async () => {
  const seen: unknown[] = []
  const { ada, ids } = await openSite({
    'post.saving': async ({ values, before }, { user, storage }) => {
      await storage.options.write({ last_title: values.title })
      seen.push([before?.id, user.id])
      if (values.title === 'Storm') throw new ApiError('harbour_closed', 'Not in a storm.', 409)
    },
  })
  const id = ids['post.hello']
  await ada('POST', `/cms/v2/posts/${id}`, { body: { title: 'Calm' } })
  await ada('POST', '/cms/v2/posts', { body: { title: 'Storm' } })
  expect(seen).toEqual([
    [id, ids['user.admin']],
    [undefined, ids['user.admin']],
  ])
  // The option of the refused change is rolled back with it, where the storage has transactions.
  expect(await site.api.site.options.read(['last_title'])).toEqual({ last_title: 'Calm' })
})

test('sees and changes templates of the page builder like posts, and leaves their other columns as they are', async () => {
  const seen: PostChange[] = []
  const { calls, wrap } = recorded()
  const hook: SiteHooks['post.saving'] = (change) => {
    seen.push(change)
    const { values } = change
    return values.title === 'The top' ? undefined : { ...change, values: { ...values, title: `${values.title}!` } }
  }
  const { ada, ids } = await openSite(
    { 'post.saving': hook },
    { storage: wrap, seed: { ...smallSite, documents: [template('top', 'header')] } },
  )
  const id = ids['document.top']
  const path = `/builder/v1/site-editor/templates/${id}`
  calls.length = 0
  await ada('POST', path, { body: { post_status: 'draft' } })
  const updates = calls.filter(({ name }) => name === 'posts.update').flatMap(({ args: [rows] }) => rows)
  expect(updates).toEqual([
    { id, changes: { status: 'draft', modified: expect.any(String), modifiedGmt: expect.any(String) } },
  ])
  expect((await ada('POST', path, { body: { post_title: 'New' } })).body).toMatchObject({
    title: 'New!',
    status: 'draft',
  })
  expect(await site.api['~parts'].storage.posts.read([Number(id)])).toMatchObject([{ title: 'New!', status: 'draft' }])
  expect(seen).toMatchObject([
    {
      values: { type: 'builder_library', title: 'The top', status: 'draft' },
      meta: {},
      before: { id, status: 'publish' },
    },
    { values: { title: 'New', status: 'draft' }, meta: {}, before: { id, title: 'The top' } },
  ])
  expect(seen.map(({ terms }) => terms)).toEqual([[], []])
  expect(seen[0]?.values).not.toHaveProperty('version')
})

test('runs for each item of a batch, and refuses only its own', async () => {
  const { ada } = await openSite({
    'post.saving': ({ values }) => {
      if (values.title === 'Two') throw new ApiError('harbour_two', 'Not two.', 422)
    },
  })
  const requests = ['One', 'Two', 'Three'].map((title) => ({ method: 'POST', path: '/cms/v2/posts', body: { title } }))
  const { body } = await ada('POST', '/batch/v1', { body: { requests } })
  expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 422, 201])
})

test('may refuse to remove a post, and lets it go to the trash', async () => {
  const { ada, ids } = await openSite({
    'post.removing': ({ post }) => {
      throw new ApiError('harbour_archive', `Post ${post.id} stays.`, 409)
    },
  })
  const path = `/cms/v2/posts/${ids['post.hello']}`
  expect(await ada('DELETE', path, { query: { force: true } })).toMatchObject({
    status: 409,
    body: { code: 'harbour_archive' },
  })
  expect((await ada('DELETE', path)).body.status).toBe('trash')
})

test('runs hooks of events after the change and before the commit', async () => {
  const { ada } = await openSite({
    'post.created': async ({ post }, { storage }) => {
      await storage.meta.write('post', [{ id: post.id, key: 'harbour', value: 'north' }])
      if (post.title === 'Lost') throw new ApiError('harbour_full', 'No berth.', 409)
    },
  })
  expect((await ada('POST', '/cms/v2/posts', { body: { title: 'Kept' } })).status).toBe(201)
  const before = await published()
  expect((await ada('POST', '/cms/v2/posts', { body: { title: 'Lost', status: 'publish' } })).status).toBe(409)
  expect(await published()).toBe(before)
})

test('changes and refuses submissions of forms', async () => {
  const { api } = await openSite({
    'submission.saving': (submission) => {
      if (submission.values.some(({ value }) => value === 'spam')) throw new ApiError('harbour_spam', 'No.', 422)
      return { ...submission, userAgent: '' }
    },
  })
  const form = (value: string) => ({
    postId: 1,
    elementId: 'abc1234',
    formName: 'Contact',
    userAgent: 'A browser',
    fields: [{ id: 'email', type: 'email', label: 'E-mail', value }],
  })
  expect(await api.site.submissions?.add(form('bob@mail.test'))).toMatchObject({ userAgent: '' })
  await expect(api.site.submissions?.add(form('spam'))).rejects.toMatchObject({ code: 'harbour_spam' })
})
