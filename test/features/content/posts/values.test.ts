/** The rules about the values of a post that a request gives, and which of them need a read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signedInBefore } from '../../../security/signed-in-before.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'
import { recorded } from '../../../support/spied-storage.ts'

const { calls, wrap } = recorded()
let site: TestSite
let arthur: Requester
let edith: Requester
beforeAll(async () => {
  site = await signedInBefore(await createTestSite({ storage: wrap }))
  arthur = site.as('arthur')
  edith = site.as('edith')
})
beforeEach(() => {
  calls.length = 0
})
afterAll(() => site.dispose())

const posts = '/cms/v2/posts'
const create = async (by: Requester, body: object) => (await by('POST', posts, { body })).body
const answer = ({ status, body }: { status: number; body: { code?: string; message?: string } }) => [
  status,
  body.code,
  body.message,
]

describe('texts', () => {
  test('are texts, or objects whose raw text counts; a number in them is a text, and anything else is not sent', async () => {
    expect(await create(arthur, { title: { raw: 7 }, content: { raw: null }, excerpt: { raw: 'E' } })).toMatchObject({
      title: { raw: '7' },
      content: { raw: '' },
      excerpt: { raw: 'E' },
    })
    expect(await create(arthur, { title: 5, content: null, excerpt: 'E' })).toMatchObject({
      title: { raw: '' },
      content: { raw: '' },
    })
  })

  test('of a title are trimmed at both ends, and keep all letters', async () => {
    const { title } = await create(arthur, { title: ' \t\v\nVoyage to  V\u00a0 \v\r\n' })
    expect(title.raw).toBe('Voyage to  V\u00a0')
  })

  test('one of them is enough, and none is refused in words', async () => {
    for (const name of ['title', 'content', 'excerpt']) {
      expect(await create(arthur, { [name]: 'Alone' })).toMatchObject({ [name]: { raw: 'Alone' } })
    }
    const empty = await arthur('POST', posts, { body: { title: '', content: '', excerpt: '' } })
    expect(answer(empty)).toEqual([400, 'empty_content', 'A post needs a title, a content or an excerpt.'])
  })

  test('keep their markup for users who may write any, and documents of the own site for all', async () => {
    const own = '<object data="https://quay.example/a.pdf" type="application/pdf"></object>'
    const content = `<p onclick="x()">P</p>${own}`
    expect((await create(edith, { content })).content.raw).toBe(content)
    expect((await create(arthur, { content })).content.raw).toBe(`<p>P</p>${own}`)
  })
})

describe('a status', () => {
  test.each(['draft', 'pending'])('%s may be given by those who may not publish', async (status) => {
    expect(await create(site.as('connie'), { title: 'Mine', status })).toMatchObject({ status })
  })

  test.each([
    ['private', 'You may not create private posts.'],
    ['publish', 'You may not publish posts.'],
    ['future', 'You may not publish posts.'],
  ])('%s is refused in words to those who may not publish', async (status, message) => {
    const refused = await site.as('connie')('POST', posts, { body: { title: 'Mine', status } })
    expect(answer(refused)).toEqual([403, 'rest_cannot_publish', message])
  })
})

describe('other values', () => {
  test('an author who does not exist, and sticky beside a password, are refused in words', async () => {
    const unknown = await edith('POST', posts, { body: { title: 'x', author: 4711 } })
    expect(answer(unknown)).toEqual([400, 'rest_invalid_author', 'There is no such author.'])
    const both = await edith('POST', posts, { body: { title: 'x', sticky: true, password: 'p' } })
    expect(answer(both)).toEqual([400, 'rest_invalid_field', 'A post can not be sticky and have a password.'])
    const locked = await edith('POST', `${posts}/${site.ids['post.locked']}`, { body: { sticky: true } })
    expect(answer(locked)).toEqual([400, 'rest_invalid_field', 'A post with a password can not become sticky.'])
  })

  test('a password has at most 255 characters', async () => {
    const { password } = await create(edith, { title: 'x', password: '𝒳'.repeat(300) })
    expect(password).toBe('𝒳'.repeat(255))
  })

  test('a featured medium is an image, and no post and no id of nothing', async () => {
    for (const [given, stored] of [
      [site.ids['post.hello'], 0],
      [4711, 0],
      [site.ids['media.pier'], site.ids['media.pier']],
    ]) {
      expect((await create(edith, { title: 'x', featured_media: given })).featured_media).toBe(stored)
    }
  })

  test('an author and a medium that the post has are not read again', async () => {
    const tide = `${posts}/${site.ids['post.tide']}`
    const [author, medium] = [site.ids['user.author2'], site.ids['media.pier']]
    await edith('POST', tide, { body: { title: 'Tides', author, featured_media: medium } })
    await edith('POST', posts, { body: { title: 'x', author: site.ids['user.editor'] } })
    const readPosts = calls.filter(({ name }) => name === 'posts.read').flatMap(({ args: [ids] }) => ids)
    expect(readPosts).toContain(site.ids['post.tide'])
    expect(readPosts).not.toContain(medium)
    expect(readPosts).not.toContain(0)
    const users = calls.filter(({ name }) => name === 'users.query').map(({ args: [query] }) => query)
    expect(users.filter((query) => Object.hasOwn(query as object, 'ids'))).toEqual([])
  })

  test('a slug of 0 counts as none, and a template stays until another is sent', async () => {
    const sent = { title: 'Zero hour', slug: '0', status: 'publish', template: 'wide.php' }
    const { id, slug, template } = await create(edith, sent)
    expect([slug, template]).toEqual(['zero-hour', 'wide.php'])
    const { body } = await edith('POST', `${posts}/${id}`, { body: { title: 'Zero' } })
    expect([body.slug, body.template]).toEqual(['zero-hour', 'wide.php'])
    expect((await create(edith, { title: 'Plain' })).template).toBe('')
  })
})

describe('terms', () => {
  const ids = (...names: string[]) => names.map((name) => site.ids[name])
  const tide = () => `${posts}/${site.ids['post.tide']}`
  const update = async (body: object) => {
    const { categories, tags } = (await edith('POST', tide(), { body })).body
    return { categories, tags }
  }
  const [guides, harbour, news] = ['category.guides', 'category.news-harbour', 'category.news'] as const
  const all = () => ({ categories: ids(guides, harbour), tags: ids('tag.green', 'tag.red') })

  test('that are not sent stay, of each taxonomy for itself', async () => {
    expect(await update({ title: 'Tides' })).toEqual(all())
    expect(await update({ tags: ids('tag.red') })).toEqual({ ...all(), tags: ids('tag.red') })
    expect(await update({ tags: ids('tag.red', 'tag.green') })).toEqual(all())
    expect(await update({ categories: ids(news) })).toEqual({ ...all(), categories: ids(news) })
    expect(await update({ categories: ids(harbour, guides) })).toEqual(all())
  })

  test('may be some of those there are, and others beside them', async () => {
    expect(await update({ categories: ids(guides) })).toEqual({ ...all(), categories: ids(guides) })
    expect(await update({ categories: ids(guides, news) })).toEqual({ ...all(), categories: ids(guides, news) })
    expect(await update({ categories: ids(guides, harbour) })).toEqual(all())
  })

  test('of another taxonomy, those that do not exist and those sent twice are left out', async () => {
    const mixed = {
      categories: [...ids(guides, 'tag.red', guides, harbour), 4711],
      tags: ids('tag.green', 'tag.red', guides),
    }
    expect(await update(mixed)).toEqual(all())
    expect(await create(edith, { title: 'x', ...mixed })).toMatchObject(all())
  })

  test('that a post has already are not read for a write', async () => {
    calls.length = 0
    await update({ title: 'Tide', categories: ids(guides) })
    const read = calls.filter(({ name }) => name === 'terms.query').map(({ args: [query] }) => query)
    expect(read.filter((query) => Object.hasOwn(query as object, 'ids'))).toEqual([])
  })
})

test('an autosave of a published post is refused where its values would be', async () => {
  const ferry = `${posts}/${site.ids['post.ferry']}/autosaves`
  const hidden = { title: 'x', sticky: true, password: 'p' }
  for (const [body, code] of [
    [hidden, 'rest_invalid_field'],
    [{ title: 'x', author: 4711 }, 'rest_invalid_author'],
    [{ title: 'x', meta: { footnotes: {} } }, 'rest_invalid_type'],
  ] as const) {
    expect((await edith('POST', ferry, { body })).body.code, JSON.stringify(body)).toBe(code)
  }
})
