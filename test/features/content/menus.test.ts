/** Menus, their items and their places. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, type Received, type Requester, type TestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'

const items = '/cms/v2/menu-items'
const menus = '/cms/v2/menus'

const siteWithMenus = {
  ...smallSite,
  options: { ...smallSite.options, menu_locations: { primary: 'Main place', footer: 'Foot place' } },
  menus: [
    {
      key: 'main',
      name: 'Main menu',
      slug: 'main-menu',
      locations: ['primary'],
      items: [
        { key: 'home', title: 'Home', url: 'https://home.example/' },
        { key: 'about', type: 'post_type', object: 'page', object_id: 'page.about' },
        { key: 'news', type: 'taxonomy', object: 'category', object_id: 'category.guides', parent: 'about' },
      ],
    },
    { key: 'small', name: 'Small print', slug: 'small-print' },
  ],
}

let site: TestSite
let ada: Requester
beforeEach(async () => {
  site = await createTestSite({ profile: content, seed: siteWithMenus })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const codeOf = ({ status, body }: Received) => [status, body.code]
const link = { title: 'Law', url: 'https://law.example/' }
const titlesOf = ({ body }: Received) => body.map(({ title }: { title: { rendered: string } }) => title.rendered)

test('items have the title and the address of their target', async () => {
  const listed = await site.as('connie')('GET', items, { query: { menus: site.ids['menu.main'] as number } })
  expect(titlesOf(listed)).toEqual(['Home', 'About', 'Guides &#038; tips'])
  expect(listed.body.map(({ url }: { url: string }) => url)).toEqual([
    'https://home.example/',
    'https://quay.example/front/about/',
    'https://quay.example/category/guides/',
  ])
  expect(listed.body[2]).toMatchObject({
    ...{ type: 'taxonomy', type_label: 'Category', object: 'category', parent: site.ids['item.about'], menu_order: 3 },
    ...{ classes: [''], xfn: [''], invalid: false, menus: site.ids['menu.main'] },
  })
})

test('an item of a target that is gone is invalid', async () => {
  await ada('DELETE', `/cms/v2/pages/${site.ids['page.about']}`, { query: 'force=true' })
  const { body } = await ada('GET', `${items}/${site.ids['item.about']}`)
  expect([body.invalid, body.url, body._links['cms:menu-item-object']]).toEqual([true, '', undefined])
})

test.each([
  ['without an address', { title: 'x' }, 'rest_url_required'],
  ['without a title', { url: 'https://x.example/' }, 'rest_title_required'],
  ['with a script as address', { title: 'x', url: 'javascript:alert(1)' }, 'rest_url_required'],
  ['in a menu that is not there', { ...link, menus: 99999 }, 'invalid_menu_id'],
  ['for a post that is not there', { type: 'post_type', object_id: 99999 }, 'rest_post_invalid_id'],
  ['for a term that is not there', { type: 'taxonomy', object_id: 99999 }, 'rest_term_invalid_id'],
  ['for the archive of nothing', { type: 'post_type_archive', object: 'boat' }, 'rest_post_invalid_type'],
  ['below what is no item', { ...link, parent: 1 }, 'rest_invalid_menu_item_parent'],
  ['with a place below 1', { ...link, menu_order: 0 }, 'rest_invalid_param'],
  ['of an unknown type', { ...link, type: 'boat' }, 'rest_invalid_param'],
  ['with a number for classes', { ...link, classes: { a: 1 } }, 'rest_invalid_param'],
])('refuses an item %s', async (_, body, code) => {
  expect(codeOf(await ada('POST', items, { body }))).toEqual([400, code])
})

test('an item is written, moved, changed and removed', async () => {
  const menu = site.ids['menu.small']
  const body = { ...link, menus: menu, classes: ['a b', 'c<'], target: '_blank', description: '<script>x</script>y' }
  const made = await ada('POST', items, { body })
  expect(made.headers.get('location')).toBe(`https://quay.example/api${items}/${made.body.id}`)
  expect(made.body).toMatchObject({
    classes: ['a', 'b', 'c'],
    target: '_blank',
    object: 'custom',
    object_id: made.body.id,
  })
  const path = `${items}/${made.body.id}`
  const target = { type: 'post_type', object_id: site.ids['post.ferry'], title: '', menus: site.ids['menu.main'] }
  const changed = await ada('PATCH', path, { body: target })
  expect(changed.body).toMatchObject({ title: { raw: 'The ferry is late' }, object: 'post', menus: target.menus })
  expect(codeOf(await ada('DELETE', path))).toEqual([501, 'rest_trash_not_supported'])
  const removed = await ada('DELETE', path, { query: 'force=true' })
  expect(removed.body).toMatchObject({ deleted: true, previous: { id: made.body.id } })
  expect(codeOf(await ada('GET', path))).toEqual([404, 'rest_post_invalid_id'])
})

test('items below a removed one move up, and none lies below itself', async () => {
  const looped = await ada('POST', `${items}/${site.ids['item.about']}`, { body: { parent: site.ids['item.news'] } })
  expect(looped.body.parent).toBe(0)
  await ada('DELETE', `${items}/${site.ids['item.about']}`, { query: 'force=true' })
  expect((await ada('GET', `${items}/${site.ids['item.news']}`)).body.parent).toBe(0)
})

test('a batch writes the items of a menu', async () => {
  const menu = site.ids['menu.small']
  const requests = ['One', 'Two', 'Three'].map((title, index) => ({
    method: 'POST',
    path: items,
    body: { ...link, title, menus: menu, menu_order: index + 1 },
  }))
  const { body } = await ada('POST', '/batch/v1', { body: { requests } })
  expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 201, 201])
  expect(titlesOf(await ada('GET', items, { query: { menus: menu as number } }))).toEqual(['One', 'Two', 'Three'])
})

test('a place has one menu, and an unknown place is refused', async () => {
  const places = '/cms/v2/menu-locations'
  const small = site.ids['menu.small']
  const moved = await ada('POST', `${menus}/${small}`, { body: { locations: ['primary', 'footer'] } })
  expect(moved.body.locations).toEqual(['primary', 'footer'])
  expect((await ada('GET', `${menus}/${site.ids['menu.main']}`)).body.locations).toEqual([])
  expect((await ada('GET', `${places}/primary`, { query: '_embed' })).body).toMatchObject({
    ...{ name: 'primary', description: 'Main place', menu: small },
    _embedded: { 'cms:menu': [{ name: 'Small print' }] },
  })
  expect(codeOf(await ada('GET', `${places}/nowhere`))).toEqual([404, 'rest_menu_location_invalid'])
  const refused = await ada('POST', `${menus}/${small}`, { body: { name: 'Renamed', locations: ['nowhere'] } })
  expect([refused.status, refused.body.data.details.locations.code]).toEqual([400, 'rest_invalid_menu_location'])
  expect((await ada('GET', `${menus}/${small}`)).body.name).toBe('Small print')
})

test('a menu has a new slug with a new name, a name of its own, and goes with its items', async () => {
  const { body: made } = await ada('POST', menus, { body: { name: 'Side menu' } })
  expect(made).not.toHaveProperty('count')
  const renamed = await ada('POST', `${menus}/${made.id}`, { body: { name: 'Side bar' } })
  expect(renamed.body.slug).toBe('side-bar')
  const repeated = await ada('POST', menus, { body: { name: 'Main menu' } })
  expect([...codeOf(repeated), repeated.body.data.term_id]).toEqual([400, 'menu_exists', site.ids['menu.main']])
  await ada('DELETE', `${menus}/${site.ids['menu.main']}`, { query: 'force=true' })
  expect((await ada('GET', items)).body).toEqual([])
  expect((await ada('GET', '/cms/v2/menu-locations/primary')).body.menu).toBe(0)
})

test('a new page at the top becomes an item of the menus that take new pages', async () => {
  const menu = site.ids['menu.main']
  await ada('POST', `${menus}/${menu}`, { body: { auto_add: true } })
  const pages = '/cms/v2/pages'
  const { body: page } = await ada('POST', pages, { body: { title: 'Harbour', status: 'publish' } })
  await ada('POST', pages, { body: { title: 'Below', status: 'publish', parent: page.id } })
  const listed = await ada('GET', items, { query: { menus: menu as number } })
  expect(titlesOf(listed)).toEqual(['Home', 'About', 'Guides &#038; tips', 'Harbour'])
})

test('an autosave keeps a title, and the item stays as it is', async () => {
  const path = `${items}/${site.ids['item.home']}`
  const saved = await ada('POST', `${path}/autosaves`, { body: { title: 'House' } })
  expect(saved.body.title.raw).toBe('House')
  expect((await ada('GET', `${path}/autosaves`)).body).toHaveLength(1)
  expect((await ada('GET', `${path}/autosaves/${saved.body.id}`)).body.parent).toBe(site.ids['item.home'])
  expect((await ada('GET', path)).body.title.rendered).toBe('Home')
})

test('a seed of an export has the same menus', async () => {
  const copy = await createTestSite({ profile: content, seed: await site.api.site.export() })
  const shown = async (of: TestSite) => {
    const { data } = await of.api.call<{ title: object; url: string; menu_order: number }[]>('GET', items, undefined, {
      as: 'system',
    })
    const places = await of.api.call<{ primary: { menu: number } }>('GET', '/cms/v2/menu-locations', undefined, {
      as: 'system',
    })
    return [places.data.primary.menu > 0, data.map(({ title, url, menu_order: order }) => ({ title, url, order }))]
  }
  expect(await shown(copy)).toEqual(await shown(site))
  await copy.dispose()
})

test('a menu links to its places of the theme, and embeds them for those who may see places', async () => {
  const place = (name: string) => ({
    embeddable: true,
    href: `https://quay.example/api/cms/v2/menu-locations/${name}`,
  })
  const relation = 'cms:menu-location'
  const [main, small] = [`${menus}/${site.ids['menu.main']}`, `${menus}/${site.ids['menu.small']}`]
  for (const context of ['view', 'edit', 'embed']) {
    const { body } = await ada('GET', menus, { query: { context, orderby: 'id' } })
    expect(body.map(({ _links }: Received['body']) => _links[relation])).toEqual([[place('primary')], undefined])
  }
  const moved = await ada('PUT', small, { body: { locations: ['footer', 'primary'] } })
  expect(moved.body._links[relation]).toEqual([place('footer'), place('primary')])
  expect((await ada('GET', main)).body._links[relation]).toBeUndefined()
  const embedded = (await ada('GET', small, { query: '_embed' })).body._embedded[relation]
  expect(embedded.map(({ name, menu }: Received['body']) => [name, menu])).toEqual([
    ['footer', site.ids['menu.small']],
    ['primary', site.ids['menu.small']],
  ])
  const read = (await site.as('connie')('GET', small, { query: '_embed' })).body
  expect([read._links[relation].length, read._embedded?.[relation]]).toEqual([2, undefined])
  // A place that the theme no longer has is none to link to.
  await site.api.site.options.write({ menu_locations: { footer: 'Foot place' } })
  const left = (await ada('GET', small)).body
  expect([left._links[relation], left.locations]).toEqual([[place('footer')], ['footer', 'primary']])
  // It stays with a menu that is sent back as it was read, and no other menu gets it.
  expect((await ada('PUT', small, { body: left })).body.locations).toEqual(['footer', 'primary'])
  expect(codeOf(await ada('PUT', main, { body: { locations: ['primary'] } }))).toEqual([400, 'rest_invalid_param'])
})
