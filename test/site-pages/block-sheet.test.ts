/** The style sheet of core blocks, which pages with blocks load. */
import { afterEach, expect, test } from 'vitest'
import { wordpress } from '../../src/names/wordpress.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const columns =
  '<!-- cms:columns --><div class="cms-block-columns"><!-- cms:column --><div class="cms-block-column"><p>a</p></div><!-- /cms:column --></div><!-- /cms:columns -->'

async function sheetOf(content: string, root = '/cms/v2'): Promise<string | undefined> {
  const body = { title: 'Blocks', content, status: 'publish' }
  const { body: post } = await site.as('ada')('POST', `${root}/posts`, { body })
  const { text } = await site.get(new URL(post.link).pathname)
  return /href="[^"]*(\/_pages\/blocks\.[0-9a-f]{16}\.css)"/.exec(text)?.[1]
}

test('is linked by pages with blocks alone, and may be kept for good', async () => {
  site = await createTestPages()
  expect(await sheetOf('<p>No block here</p>')).toBeUndefined()
  const address = await sheetOf(columns)
  const { status, text, headers } = await site.get(address ?? '')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=UTF-8'])
  expect(headers.get('cache-control')).toContain('immutable')
  for (const name of ['columns', 'cover', 'gallery', 'button', 'media-text', 'group'])
    expect(text).toContain(`.cms-block-${name}`)
  expect(text).toContain('.has-vivid-red-color{')
})

test('has the class names of the preset', async () => {
  site = await createTestPages({ names: wordpress })
  const address = await sheetOf(columns.replaceAll('cms:', 'wp:').replaceAll('cms-', 'wp-'), '/wp/v2')
  const { text } = await site.get(address ?? '')
  expect(text).toContain('.wp-block-columns')
  expect(text).not.toContain('.cms-block-')
})

test('is left out with the sheet of the theme', async () => {
  site = await createTestPages({}, { styleSheet: false })
  expect(await sheetOf(columns)).toBeUndefined()
})
