/** Pictures of the theme in the sizes that the library has. */
import { afterEach, expect, test } from 'vitest'
import type { Json, Storage } from '../../src/contract/storage.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
let storage: Storage
afterEach(() => site.dispose())

async function open(sizes: Json) {
  site = await createTestPages({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  const [post] = await storage.posts.read([site.ids['post.tide'] ?? 0])
  const value = { file: '2024/01/pier.jpg', width: 1200, height: 800, sizes }
  await storage.meta.write('post', [{ id: post?.featuredMedia ?? 0, key: '_attachment_metadata', value }])
}
const size = (name: string, width: number, height: number): { readonly [name: string]: Json } => ({
  [name]: { file: `pier-${width}x${height}.jpg`, width, height, mime_type: 'image/jpeg' },
})
const imageOf = async (path: string) => /<img [^>]*pier[^>]*>/.exec((await site.get(path)).text)?.[0] ?? ''
const base = 'https://quay.example/uploads/2024/01/pier'

test('a picture offers its sizes, smallest first, without those that are cut to another shape', async () => {
  await open({ ...size('large', 1024, 683), ...size('thumbnail', 150, 150), ...size('medium', 300, 200) })
  const image = await imageOf('/tide/')
  expect(image).toContain(
    `srcset="${base}-300x200.jpg 300w, ${base}-1024x683.jpg 1024w, ${base}.jpg 1200w" sizes="(max-width: 44rem) 100vw, 40rem"`,
  )
  expect(image).toContain(`src="${base}.jpg"`)
  expect(await imageOf('/category/guides/')).toContain('sizes="(max-width: 36rem) 30vw, 11rem"')
})

test('a picture without other sizes has its address alone', async () => {
  await open({})
  expect(await imageOf('/tide/')).not.toContain('srcset')
})

test.each<[string, Json]>([
  ['nothing', null],
  ['a text', 'large'],
  ['a number', 5],
  ['a list of texts', ['pier-300x200.jpg']],
  ['a size that is nothing', { medium: null }],
  ['a size without its file', { medium: { width: 300, height: 200 } }],
  ['a file that is a number', { medium: { file: 7, width: 300, height: 200 } }],
  ['a width that is a text', { medium: { file: 'pier-300x200.jpg', width: '300', height: 200 } }],
  ['a height that is a text', { medium: { file: 'pier-300x200.jpg', width: 300, height: '200' } }],
])('what can not be read as sizes leaves a picture its address alone: %s', async (_, sizes) => {
  await open(sizes)
  const image = await imageOf('/tide/')
  expect(image).toContain(`src="${base}.jpg"`)
  expect(image).not.toContain('srcset')
})

test('the files of the sizes are beside the picture, whatever folder their names tell', async () => {
  await open({ medium: { file: '2019/07/pier-300x200.jpg', width: 300, height: 200 } })
  expect(await imageOf('/tide/')).toContain(`srcset="${base}-300x200.jpg 300w, ${base}.jpg 1200w"`)
})

test('the addresses of sizes stay in the attribute, whatever their names are', async () => {
  await open({ odd: { file: '"><script>alert(1)</script> a,b.jpg', width: 300, height: 200 } })
  const { text } = await site.get('/tide/')
  expect(text).not.toContain('<script>alert')
  expect(await imageOf('/tide/')).toContain('300w, ')
})
