import { describe, expect, test } from 'vitest'
import { defaultRoles } from '../../../../src/site/roles.ts'
import { invalidParams, items, labels, openSite } from './fixture.ts'

describe('terms', () => {
  test('are found by a part of their name or by their id', async () => {
    const { connie, ids } = await openSite()
    const harbour = { id: ids['category.news-harbour'], label: 'Harbour', groupLabel: 'Categories' }
    expect(await items(connie, 'term', 'term=HARB')).toEqual([harbour])
    expect(await items(connie, 'term', `term=${harbour.id}`)).toEqual([harbour])
    expect(await items(connie, 'term', 'term=green')).toEqual([
      { id: ids['tag.green'], label: 'Green', groupLabel: 'Tags' },
    ])
    expect(await items(connie, 'term', 'term=')).toEqual([])
    expect(await items(connie, 'term', 'term=%25')).toEqual([])
  })

  test('are limited to included taxonomies and without excluded ones', async () => {
    const { connie } = await openSite()
    expect(await labels(connie, 'term', 'term=r&included_types=post_tag')).toEqual(['Red', 'Green', 'Rare'])
    expect(await labels(connie, 'term', 'term=r&excluded_types[]=post_tag')).toEqual(['Uncategorized', 'Harbour'])
    expect(await labels(connie, 'term', 'term=r&included_types=nav_menu,constructor')).toEqual([])
  })

  test('hide_empty leaves out terms without published posts', async () => {
    const { connie, api } = await openSite()
    await api.site.terms.create({ taxonomy: 'post_tag', name: 'Unread' })
    expect(await labels(connie, 'term', 'term=re')).toEqual(['Red', 'Green', 'Rare', 'Unread'])
    expect(await labels(connie, 'term', 'term=re&hide_empty=true')).toEqual(['Red', 'Green', 'Rare'])
  })

  test('items are limited, in the order of their ids', async () => {
    const { connie } = await openSite()
    expect(await labels(connie, 'term', 'term=re&items_count=2')).toEqual(['Red', 'Green'])
    expect(await labels(connie, 'term', 'term=re&items_count=-1')).toEqual(['Red'])
  })

  test('return only public fields', async () => {
    const { connie, ids } = await openSite()
    const map = 'keys_conversion_map[slug]=s&keys_conversion_map[taxonomy]=t&keys_conversion_map[meta]=m'
    expect(await items(connie, 'term', `term=harbour&${map}`)).toEqual([{ s: 'news-harbour', t: 'Categories' }])
    expect(await items(connie, 'term', 'term=harbour&keys_conversion_map={}')).toEqual([
      {
        term_id: ids['category.news-harbour'],
        name: 'Harbour',
        slug: 'news-harbour',
        taxonomy: 'category',
        description: '',
        parent: ids['category.news'],
      },
    ])
  })

  test('are limited by conditions on meta; protected keys are refused', async () => {
    const { connie, api, ids } = await openSite()
    const [red = 0, green = 0] = [ids['tag.red'], ids['tag.green']]
    await api.site.terms.update(red, { meta: { tone: 'warm', _secret: 'x' } })
    await api.site.terms.update(green, { meta: { tone: 'cold' } })
    expect(await labels(connie, 'term', 'term=re&meta_query[0][key]=tone&meta_query[0][value]=warm')).toEqual(['Red'])
    expect(await invalidParams(connie, 'term', 'term=re&meta_query[0][key]=_secret&meta_query[0][value]=x')).toEqual([
      400,
      'rest_invalid_param',
      'meta_query',
    ])
  })
})

describe('users', () => {
  test('are found by a part of their name or by their id', async () => {
    const { ada, ids } = await openSite()
    const edith = { id: ids['user.editor'], label: 'Edith Editor', groupLabel: 'Editor' }
    expect(await items(ada, 'user', 'term=edith')).toEqual([edith])
    expect(await items(ada, 'user', `term=${edith.id}`)).toEqual([edith])
    expect(await labels(ada, 'user', 'term=AUTHOR')).toEqual(['Arthur Author', 'Aiko Author'])
    for (const nothing of ['term=', 'term=%20', 'term=%25', '']) expect(await items(ada, 'user', nothing)).toEqual([])
  })

  test('the group label is the role in words, and missing without a role', async () => {
    const { ada, api, ids } = await openSite()
    await api.site.options.write({ roles: { ...(defaultRoles as object), shop_manager: { read: true } } })
    await api.site.users.update(ids['user.author'] ?? 0, { roles: [] })
    await api.site.users.update(ids['user.author2'] ?? 0, { roles: ['shop_manager'] })
    expect(await items(ada, 'user', 'term=author')).toEqual([
      { id: ids['user.author'], label: 'Arthur Author' },
      { id: ids['user.author2'], label: 'Aiko Author', groupLabel: 'Shop manager' },
    ])
  })

  test('logins and e-mails are searched only for users with list_users', async () => {
    const { ada, as, connie } = await openSite()
    expect(await items(ada, 'user', 'term=example.test')).toHaveLength(6)
    expect(await labels(ada, 'user', 'term=sam@')).toEqual(['Sam Subscriber'])
    for (const send of [connie, as('arthur'), as('edith')]) {
      expect(await items(send, 'user', 'term=example.test')).toEqual([])
      expect(await labels(send, 'user', 'term=sam')).toEqual(['Sam Subscriber'])
    }
  })

  test.each(['user_pass', 'user_email', 'user_login', 'password', 'capabilities', 'roles', 'toString', 'valueOf'])(
    'the field %s is left out',
    async (field) => {
      const { ada } = await openSite()
      expect(await items(ada, 'user', `term=edith&keys_conversion_map[${field}]=x`)).toEqual([{}])
      expect(await items(ada, 'user', `term=edith&keys_conversion_map={"${field}":"x","ID":"__proto__"}`)).toHaveLength(
        1,
      )
    },
  )

  test('names of prototype members are refused or left out', async () => {
    const { ada } = await openSite()
    for (const name of ['__proto__', 'constructor']) {
      const { status } = await ada('GET', '/builder/v1/user', { query: `term=e&keys_conversion_map[${name}]=x` })
      expect(status).toBe(400)
      expect(await items(ada, 'user', `term=edith&keys_conversion_map={"${name}":"x"}`)).toEqual([{}])
    }
  })

  test('the full record has neither login nor e-mail nor password', async () => {
    const { ada } = await openSite()
    const [record] = await items(ada, 'user', 'term=edith&keys_conversion_map={}')
    expect(Object.keys(record)).toEqual(['ID', 'display_name', 'user_nicename', 'user_url', 'role'])
  })

  test('items are limited', async () => {
    const { ada } = await openSite()
    expect(await items(ada, 'user', 'term=a&items_count=2')).toHaveLength(2)
    expect(await items(ada, 'user', 'term=a&items_count=0')).toHaveLength(1)
  })
})
