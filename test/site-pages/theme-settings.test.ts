/** Settings of the theme that switch parts off change the pages that the site serves. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const themesOf = (active: string) =>
  createPackages(
    ['builder-theme', 'builder-theme-biz', 'plain'].map((slug) => ({
      ...{ kind: 'theme', slug, name: slug, version: '1.0.0' },
      initially: slug === active ? 'active' : 'inactive',
    })),
  )

const open = async (active?: string) => {
  site = await createTestPages({
    profile: full,
    ...(active === undefined ? {} : { services: { packages: themesOf(active) } }),
  })
}

const write = async (settings: object, namespace = 'builder-theme') =>
  expect((await site.as('ada')('POST', `/${namespace}/v1/theme-settings`, { body: { settings } })).status).toBe(200)

const post = () =>
  site.get(`/?p=${site.ids['post.hello']}`).then(({ location }) => site.get(new URL(location as string).pathname))
const parts: { readonly [setting: string]: RegExp } = {
  SKIP_LINK: /class="site-skip"/,
  PAGE_TITLE: /<h1/,
  HEADER_FOOTER: /<header class="site-bar"|<footer class="site-end"/,
  DESCRIPTION_META_TAG: /<meta name="description"/,
}

test.each(Object.entries(parts))('%s switches its part off, and on again', async (setting, part) => {
  await open('builder-theme')
  const before = (await post()).text
  expect(before).toMatch(part)
  await write({ [setting]: true })
  expect((await post()).text).not.toMatch(part)
  await write({ [setting]: 'false' })
  expect((await post()).text).toBe(before)
})

test('archives lose their title, header and footer too', async () => {
  await open('builder-theme')
  await write({ PAGE_TITLE: true, HEADER_FOOTER: true })
  const { text } = await site.get('/')
  expect([parts['PAGE_TITLE'], parts['HEADER_FOOTER']].filter((part) => part?.test(text))).toEqual([])
})

test('without the base or the style of the theme a page loads the other rules, or none', async () => {
  await open('builder-theme')
  const sheet = async () => {
    const address = /<link rel="stylesheet" href="[^"]*(\/_pages\/theme[^"]*)"/.exec((await post()).text)?.[1]
    return address === undefined ? '' : (await site.get(address)).text
  }
  const [base, style] = [':where(body)', '.site-bar{']
  const has = (text: string) => [text.includes(base), text.includes(style)]
  expect(has(await sheet())).toEqual([true, true])
  await write({ BASE_STYLE: true })
  expect(has(await sheet())).toEqual([false, true])
  await write({ BASE_STYLE: false, THEME_STYLE: true })
  expect(has(await sheet())).toEqual([true, false])
  await write({ BASE_STYLE: true })
  expect(await sheet()).toBe('')
})

test('only the settings of the active theme count, with those that it has from the start', async () => {
  await open('plain')
  await write({ PAGE_TITLE: true })
  expect((await post()).text).toMatch(/<h1/)
  const activate = (slug: string) => site.as('ada')('POST', `/builder-one/v1/themes/${slug}/activate`)
  await activate('builder-theme')
  expect((await post()).text).not.toMatch(/<h1/)
  await write({ PAGE_TITLE: false })
  expect((await post()).text).toMatch(/<h1/)
  await activate('builder-theme-biz')
  expect((await post()).text).not.toMatch(/<h1/)
  await write({ page_title: false }, 'builder-theme-biz')
  expect((await post()).text).toMatch(/<h1/)
})

test('on a site whose host declares no themes each setting that was written counts', async () => {
  await open()
  expect((await post()).text).toMatch(/<h1/)
  await write({ skip_link: true }, 'builder-theme-biz')
  await write({ HEADER_FOOTER: true })
  const { text } = await post()
  expect(Object.entries(parts).map(([name, part]) => [name, part.test(text)])).toEqual([
    ...[
      ['SKIP_LINK', false],
      ['PAGE_TITLE', true],
      ['HEADER_FOOTER', false],
      ['DESCRIPTION_META_TAG', true],
    ],
  ])
})
