/** Records that others name: the post of a file and of a comment need an editor, other ones a reader. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { counted } from '../../support/counted.ts'
import type { TestSite } from '../../support/site.ts'
import { bytesOf, mediaSite, picture, upload } from './media/pictures.ts'

let site: TestSite
const made: { [name: string]: number } = {}
const writes = async (login: string, path: string, body: object) =>
  (await site.as(login)('POST', `/cms/v2/${path}`, { body })).body.id as number
const codeOf = async (login: string, path: string, body: object) => {
  const { status, body: answer } = await site.as(login)('POST', `/cms/v2/${path}`, { body })
  counted(1, status < 300 ? 'moves allowed' : 'refused')
  return [status, answer.code]
}

beforeAll(async () => {
  site = await mediaSite({ profile: full })
  const text = { content: 'Words.', status: 'publish', comment_status: 'open' }
  made.own = await writes('arthur', 'posts', { title: 'Own', ...text })
  made.other = await writes('aiko', 'posts', { title: 'Other', ...text })
  made.hidden = await writes('edith', 'posts', { title: 'Hidden', status: 'private' })
  made.hiddenPage = await writes('ada', 'pages', { title: 'Hidden', status: 'private' })
  made.file = (await upload(site, 'own.txt', 'Words.', { type: 'text/plain', as: 'arthur' })).body.id
  const bytes = await bytesOf(picture(2, 2), 'png')
  made.picture = (await upload(site, 'open.png', bytes)).body.id
  made.hiddenPicture = (await upload(site, 'dot.png', bytes, { query: `post=${made.hidden}` })).body.id
  // Roles that may write pages and menus, but not read what others keep private.
  const grant = { edit_pages: true, edit_others_pages: true, publish_pages: true, edit_theme_options: true }
  await site.api.site.users.update(Number(site.ids['user.author']), { capabilities: grant })
})
afterAll(() => site.dispose())

test('a file is moved to a post that its author may edit, and to no other', async () => {
  const path = `media/${made.file}`
  expect(await codeOf('arthur', path, { post: made.other })).toEqual([403, 'rest_cannot_edit'])
  expect(await codeOf('arthur', path, { post: 999_999 })).toEqual([403, 'rest_cannot_edit'])
  expect(await codeOf('arthur', path, { post: made.own })).toEqual([200, undefined])
  expect(await codeOf('edith', path, { post: made.other })).toEqual([200, undefined])
  // It stays there when it is sent unchanged, and it may be taken back.
  expect(await codeOf('arthur', path, { post: made.other, title: 'Named' })).toEqual([200, undefined])
  expect(await codeOf('arthur', path, { post: 0 })).toEqual([200, undefined])
})

test('a comment is moved to a post whose comments its moderator moderates', async () => {
  const { status, body } = await site.as('edith')('POST', '/cms/v2/comments', {
    body: { post: made.own, content: 'Words on it' },
  })
  expect(status).toBe(201)
  const path = `comments/${body.id}`
  expect(await codeOf('arthur', path, { content: 'Changed' })).toEqual([200, undefined])
  expect(await codeOf('arthur', path, { post: made.other })).toEqual([403, 'rest_cannot_edit'])
  expect(await codeOf('edith', path, { post: made.other })).toEqual([200, undefined])
})

test('a featured picture is one that the caller may read', async () => {
  const set = (login: string, picture: number | undefined) =>
    codeOf(login, `posts/${made.own}`, { featured_media: picture })
  expect(await set('arthur', made.hiddenPicture)).toEqual([403, 'rest_cannot_read'])
  expect(await set('arthur', made.picture)).toEqual([200, undefined])
  expect(await set('edith', made.hiddenPicture)).toEqual([200, undefined])
  // A value that stays is no change.
  expect(await set('arthur', made.hiddenPicture)).toEqual([200, undefined])
})

test('a page goes below one that the caller may read, and so does the target of a menu item', async () => {
  const page = { title: 'Below', status: 'publish' }
  expect(await codeOf('arthur', 'pages', { ...page, parent: made.hiddenPage })).toEqual([403, 'rest_cannot_read'])
  expect(await codeOf('ada', 'pages', { ...page, parent: made.hiddenPage })).toEqual([201, undefined])
  const item = (id: number | undefined) => ({ type: 'post_type', object: 'post', object_id: id, status: 'publish' })
  expect(await codeOf('arthur', 'menu-items', item(made.hidden))).toEqual([403, 'rest_cannot_read'])
  expect(await codeOf('arthur', 'menu-items', item(made.other))).toEqual([201, undefined])
})

test('in the profile content a file is moved to any post that its editor may read, as recorded', async () => {
  const recorded = await mediaSite()
  try {
    const asArthur = recorded.as('arthur')
    const file = (await upload(recorded, 'own.txt', 'Words.', { type: 'text/plain', as: 'arthur' })).body.id
    const move = async (post: unknown) => (await asArthur('POST', `/cms/v2/media/${file}`, { body: { post } })).status
    expect(await move(recorded.ids['post.private-editor'])).toBe(403)
    expect(await move(recorded.ids['post.hello'])).toBe(200)
  } finally {
    await recorded.dispose()
  }
})
