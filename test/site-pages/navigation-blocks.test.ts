/** Menus that blocks make: their markup, the stored menus that they refer to, and what visitors may see. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PostValues } from '../../src/contract/storage.ts'
import { full } from '../../src/profiles/full.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
beforeEach(async () => {
  site = await createTestPages({ profile: full })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const json = (attributes: object) => JSON.stringify(attributes)
const pair = (name: string, inner: string, attributes: object = {}) =>
  `<!-- cms:${name} ${json(attributes)} -->${inner}<!-- /cms:${name} -->`
const single = (name: string, attributes: object = {}) => `<!-- cms:${name} ${json(attributes)} /-->`
const link = (label: string, url: string, more: object = {}) =>
  single('navigation-link', { label, url, kind: 'custom', ...more })

async function saved(type: string, values: object): Promise<number> {
  const { status, body } = await site.as('ada')('POST', `/cms/v2/${type}`, { body: { status: 'publish', ...values } })
  expect(status).toBe(201)
  return body.id
}

/** Returns the page with the menu, from its first menu on. */
async function pageWith(content: string): Promise<string> {
  const id = await saved('pages', { title: 'Menu page', slug: 'menu-page', content })
  const { text } = await site.get(new URL((await site.get(`/?p=${id}`)).location ?? '/').pathname)
  return text.slice(text.indexOf('<nav', text.indexOf('<main')))
}

async function stored(values: Partial<PostValues>, meta?: string): Promise<number> {
  const { storage } = site.api['~parts']
  const id = await saved('posts', { title: 'Stored', content: link('Stored link', '/stored/') })
  await storage.posts.update([{ id, changes: { type: 'wp_navigation', slug: `stored-${id}`, ...values } }])
  if (meta !== undefined) await storage.meta.write('post', [{ id, key: '_import_status', value: meta }])
  return id
}

test('its links are a list in a landmark; the page itself is marked', async () => {
  const inner = [
    single('home-link', { label: 'Start' }),
    link('<strong>This</strong> page<script>x</script>', '/menu-page/', { description: 'd' }),
    link('Elsewhere', 'https://other.example/menu-page/', { opensInNewTab: true, title: '"><b>' }),
    link('Script', 'javascript:alert(1)'),
    link('', '/empty/'),
  ]
  const html = await pageWith(pair('navigation', inner.join(''), { ariaLabel: 'Main' }))
  expect(html).toMatch(/^<nav class="is-responsive cms-block-navigation" aria-label="Main">/)
  expect(html).toContain('href="https://quay.example/" rel="home"')
  expect(html).toContain(
    'href="/menu-page/" aria-current="page"><span class="cms-block-navigation-item__label"><strong>This</strong> page',
  )
  expect(html).toContain(
    'href="https://other.example/menu-page/" title="&quot;&gt;&lt;b&gt;" target="_blank" rel="noopener"',
  )
  expect(html).not.toMatch(/<script>x|javascript:|\/empty\//)
  expect(html.match(/aria-current/g)).toHaveLength(1)
  const { text } = await site.get('/menu-page/')
  expect(text).toMatch(/blocks\/layout_navigation\./)
})

test('submenus and the menu of small screens open without a script', async () => {
  const below = pair('navigation-submenu', link('Oars', '/oars/'), { label: 'Gear', url: '/gear/' })
  const menu = pair('navigation', pair('navigation-submenu', below, { label: 'Boats &amp; more', url: '/boats/' }))
  const html = await pageWith(menu + menu)
  expect(html).toContain('<summary aria-label="Submenu of Boats &amp; more">')
  expect(html).toMatch(/<details class="cms-block-navigation-submenu" name="([\w-]+)">/)
  const targets = [...html.matchAll(/__open" popovertarget="([\w-]+)"/g)].map(([, id = '']) => id)
  expect(new Set(targets).size).toBe(2)
  for (const id of targets) expect(html.split(`id="${id}" popover="auto"`)).toHaveLength(2)
  const onClick = await pageWith(
    pair('navigation', below, { openSubmenusOnClick: true, overlayMenu: 'never' }).replaceAll('Gear', 'Rig'),
  )
  expect(onClick).not.toContain('popover')
})

test('a list of pages and other blocks are items of the list', async () => {
  const above = await saved('pages', { title: 'Above', slug: 'above' })
  await saved('pages', { title: 'Beneath', slug: 'beneath', parent: above })
  await saved('pages', { title: 'Hidden', slug: 'hidden', status: 'private' })
  const html = await pageWith(pair('navigation', single('page-list') + single('search'), { overlayMenu: 'never' }))
  const menu = html.slice(0, html.indexOf('</nav>'))
  expect(menu).toMatch(
    /href="https:\/\/quay\.example\/above\/".*<details.*href="https:\/\/quay\.example\/above\/beneath\/"/,
  )
  expect(menu).toContain('<li class="cms-block-navigation-item"><form')
  expect(menu).not.toMatch(/Hidden|<ul[^>]*><(?!li)/)
})

test('links to posts lead to their address, and hidden ones are left out', async () => {
  const moved = await saved('pages', { title: 'Moved', slug: 'moved' })
  const draft = await saved('pages', { title: 'Draft', slug: 'draft-page', status: 'draft' })
  const to = (label: string, id: number, url: string) => link(label, url, { id, kind: 'post-type', type: 'page' })
  const html = await pageWith(
    pair(
      'navigation',
      to('To moved', moved, `/?page_id=${moved}`) +
        to('To draft', draft, '/draft-page/') +
        to('Of another site', draft, '/elsewhere/') +
        to('Gone', 99_999, '/gone/'),
    ),
  )
  expect(html).toContain('href="https://quay.example/moved/"')
  expect(html).not.toContain('To draft')
  expect(html).toContain('href="/elsewhere/"')
  expect(html).toContain('href="/gone/"')
})

test('a reference finds stored menus of both kinds, which visitors may see', async () => {
  const menuOf = async (ref: number) => {
    const id = await saved('posts', { title: 'With a menu', content: single('navigation', { ref }) })
    return (await site.visitor('GET', `/cms/v2/posts/${id}`)).body.content.rendered as string
  }
  expect(await menuOf(await stored({ title: 'Top menu' }))).toMatch(/aria-label="Top menu".*href="\/stored\/"/)
  expect(await menuOf(await stored({ status: 'private' }, 'publish'))).toContain('/stored/')
  for (const hidden of [
    { status: 'draft' },
    { status: 'private' },
    { status: 'trash' },
    { type: 'post', status: 'draft' },
  ]) {
    expect(await menuOf(await stored(hidden))).not.toContain('Stored link')
  }
  const menu = await saved('menus', { name: 'Classic' })
  const parent = await saved('menu-items', { title: 'Classic link', url: '/classic/', menus: menu })
  await saved('menu-items', { title: 'Below it', url: '/below/', menus: menu, parent })
  expect(await menuOf(menu)).toMatch(/href="\/classic\/".*<details.*href="\/below\/"/)
  const self = await stored({})
  const { storage } = site.api['~parts']
  await storage.posts.update([
    { id: self, changes: { content: single('navigation', { ref: self }) + link('Once', '/once/') } },
  ])
  expect((await menuOf(self)).match(/Once/g)).toHaveLength(1)
})

test('without links and reference it shows the newest stored menu, else the pages', async () => {
  const empty = await pageWith(single('navigation'))
  expect(empty).toContain('Menu page')
  await stored({})
  const id = await saved('posts', { title: 'Newest', content: single('navigation') })
  expect((await site.visitor('GET', `/cms/v2/posts/${id}`)).body.content.rendered).toContain('Stored link')
})

test('deep menus end, and attributes of another type do no harm', async () => {
  let deep = link('Core', '/core/')
  for (let depth = 0; depth < 40; depth++) deep = pair('navigation-submenu', deep, { label: `L${depth}`, url: '/l/' })
  const bad = {
    ref: 'x',
    overlayMenu: 7,
    ariaLabel: {},
    overlayTextColor: '"><script>',
    customOverlayBackgroundColor: 'red;x:y',
  }
  const html = await pageWith(pair('navigation', deep) + pair('navigation', link('A', '/a/'), bad))
  expect(html).toContain('L39')
  expect(html).not.toMatch(/Core|<script>|x:y/)
  expect(html).toContain('aria-label="Menu"')
})
