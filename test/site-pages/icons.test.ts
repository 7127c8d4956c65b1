/** Draws icons that the texts of posts name, on pages of the site. */
import { afterEach, expect, test } from 'vitest'
import { createIcons } from '../../src/services/icons/index.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

async function pageOf(content: string, options: Parameters<typeof createTestPages>[0] = {}) {
  site = await createTestPages(options)
  await site.as('arthur')('POST', '/cms/v2/posts', {
    body: { title: 'Icons', slug: 'icons', status: 'publish', content },
  })
  return (await site.get('/icons/')).text
}
const content = '<p><i class="fa fa-phone"></i> Call. <i class="fas fa-no-such-icon"></i> <i>fa fa-star</i></p>'

test('are drawn in their elements, with the licence once', async () => {
  const page = await pageOf(content + content)
  expect(
    page.match(
      /<i class="fa fa-phone"><svg aria-hidden="true" width="1em"[^>]*><path d="M[^"]*"><\/path><\/svg><\/i> Call\./g,
    ),
  ).toHaveLength(2)
  expect(page.match(/CC BY 4\.0/g)).toHaveLength(1)
  expect(page).toContain('<i class="fas fa-no-such-icon"></i> <i>fa fa-star</i>')
})

test('stay as they are without a set', async () => {
  const page = await pageOf(content, { services: { icons: createIcons({ sets: [] }) } })
  expect(page).toContain('<i class="fa fa-phone"></i> Call.')
  expect(page).not.toContain('CC BY')
})
