import { describe, expect, test } from 'vitest'
import { invalidParams, items, labels, openSite, request } from './fixture.ts'

test('posts are found by a part of their title, in the order of their ids', async () => {
  const { ada, ids } = await openSite()
  expect(await items(ada, 'post', 'term=TIDE')).toEqual([
    { id: ids['post.tide'], label: 'Reading the tide', groupLabel: 'Posts' },
  ])
  expect(await labels(ada, 'post', 'term=in')).toEqual([
    'Reading the tide',
    'Pinned notice',
    'Behind a password',
    'Built in the builder',
  ])
  expect(await items(ada, 'post', 'term=about')).toEqual([
    { id: ids['page.about'], label: 'About', groupLabel: 'Pages' },
  ])
})

test('posts are found by their id', async () => {
  const { ada, ids } = await openSite()
  expect(await labels(ada, 'post', `term=${ids['post.ferry']}`)).toEqual(['The ferry is late'])
  expect(await labels(ada, 'post', 'term=999999')).toEqual([])
  expect(await labels(ada, 'post', 'term=99999999999999999999')).toEqual([])
})

test('nothing is listed without a term', async () => {
  const { ada } = await openSite()
  for (const query of ['', 'term=', 'term=%20%20']) expect(await items(ada, 'post', query)).toEqual([])
})

test('a term is literal, and is refused beyond 1000 characters', async () => {
  const { ada } = await openSite()
  for (const term of ['%25', '_', '\\', "'"]) expect(await items(ada, 'post', `term=${term}`)).toEqual([])
  expect(await invalidParams(ada, 'post', `term=${'x'.repeat(1001)}`)).toEqual([400, 'rest_invalid_param', 'term'])
})

test('limits items_count to 1 to 100', async () => {
  const { ada } = await openSite()
  const count = async (itemsCount: string) => (await items(ada, 'post', `term=e&items_count=${itemsCount}`)).length
  expect(await Promise.all(['2', '0', '-5', '1'].map(count))).toEqual([2, 1, 1, 1])
  expect(await count('100000')).toBeGreaterThan(5)
  expect(await invalidParams(ada, 'post', 'term=e&items_count=many')).toEqual([
    400,
    'rest_invalid_param',
    'items_count',
  ])
})

describe('types', () => {
  test('accepts lists as arrays, as JSON and separated by commas', async () => {
    const { ada } = await openSite()
    const all = ['Front', 'About', 'Reading the tide']
    for (const form of ['included_types[]=page&included_types[]=post', 'included_types=page,,post']) {
      expect(await labels(ada, 'post', `term=t&${form}`)).toEqual(expect.arrayContaining(all))
    }
    for (const form of ['included_types[]=page', 'included_types=page', 'included_types=["page"]']) {
      expect(await labels(ada, 'post', `term=t&${form}`)).toEqual(['Front', 'About'])
    }
  })

  test('excluded types are never listed', async () => {
    const { ada } = await openSite()
    expect(await labels(ada, 'post', 'term=t&excluded_types=post')).toEqual(['Front', 'About'])
    expect(await labels(ada, 'post', 'term=t&included_types=page&excluded_types=page')).toEqual([])
    expect(await labels(ada, 'post', 'term=pier&is_public=false')).toEqual([])
    expect(await labels(ada, 'post', 'term=pier&is_public=false&excluded_types=post')).toEqual(['Pier at dusk'])
  })

  test('only content types are searched', async () => {
    const { ada } = await openSite()
    for (const type of ['revision', 'builder_component', 'nav_menu_item', 'constructor', '__proto__']) {
      expect(await items(ada, 'post', `term=h&included_types=${type}&excluded_types=none&is_public=false`)).toEqual([])
    }
  })

  test('refuses a list of lists', async () => {
    const { ada } = await openSite()
    for (const name of ['included_types', 'excluded_types']) {
      expect(await invalidParams(ada, 'post', `term=e&${name}[0][0]=post`)).toEqual([400, 'rest_invalid_param', name])
    }
  })
})

describe('visibility', () => {
  test('refuses visitors with 401 and subscribers with 403', async () => {
    const { as } = await openSite()
    const queries = ['term=e', 'term=e&is_public=false', 'term=h&included_types=revision', 'term=e&items_count=1']
    for (const query of [...queries, 'term=e&meta_query[0][key]=_builder_data']) {
      for (const kind of ['post', 'term', 'user']) {
        const [visitor, subscriber] = [await request(as(null), kind, query), await request(as('sam'), kind, query)]
        const isRefusal = (status: number, kindOf: number) => status === kindOf || status === 400
        expect([isRefusal(visitor.status, 401), isRefusal(subscriber.status, 403)]).toEqual([true, true])
        expect([visitor.body.data?.value, subscriber.body.data?.value]).toEqual([undefined, undefined])
      }
    }
    for (const kind of ['post', 'term', 'user']) {
      expect((await request(as(null), kind, 'term=e')).body.code).toBe('rest_forbidden')
      expect((await request(as('sam'), kind, 'term=e')).body.code).toBe('rest_forbidden')
    }
  })

  test('finds only published posts by default', async () => {
    const { ada } = await openSite()
    for (const term of ['draft', 'private', 'pending', 'ahead', 'thrown']) {
      expect(await labels(ada, 'post', `term=${term}`)).toEqual([])
    }
  })

  test('finds drafts, pending and private posts of others only for users who may edit or read them', async () => {
    const { as } = await openSite()
    const titlesFor = async (login: string, term: string) => labels(as(login), 'post', `term=${term}&is_public=false`)
    const drafts = ['Draft of an author', 'Draft of a contributor']
    const privates = ['Private of an author', 'Private of an editor']
    expect(await titlesFor('ada', 'draft')).toEqual(drafts)
    expect(await titlesFor('edith', 'draft')).toEqual(drafts)
    expect(await titlesFor('arthur', 'draft')).toEqual(['Draft of an author'])
    expect(await titlesFor('aiko', 'draft')).toEqual([])
    expect(await titlesFor('connie', 'draft')).toEqual(['Draft of a contributor'])
    expect(await titlesFor('edith', 'private')).toEqual(privates)
    expect(await titlesFor('arthur', 'private')).toEqual(['Private of an author'])
    expect(await titlesFor('aiko', 'private')).toEqual([])
    expect(await titlesFor('connie', 'pending')).toEqual(['Pending of a contributor'])
    expect(await titlesFor('arthur', 'pending')).toEqual([])
    expect(await titlesFor('arthur', 'ahead')).toEqual(['Far ahead'])
    expect(await titlesFor('aiko', 'ahead')).toEqual([])
  })

  test('never searches the trash', async () => {
    const { ada } = await openSite()
    expect(await labels(ada, 'post', 'term=thrown&is_public=false')).toEqual([])
  })

  test('the id of a post that the user may not read finds nothing', async () => {
    const { as, ids } = await openSite()
    for (const key of ['post.draft', 'post.private', 'post.trashed', 'revision.hello.1']) {
      expect(await items(as('aiko'), 'post', `term=${ids[key]}&is_public=false&excluded_types=none`)).toEqual([])
    }
  })
})

describe('names of response members', () => {
  test('returns only the named fields, under their new names', async () => {
    const { ada, ids } = await openSite()
    const query = 'term=tide&keys_conversion_map[ID]=value&keys_conversion_map[post_name]=slug'
    expect(await items(ada, 'post', query)).toEqual([{ value: ids['post.tide'], slug: 'tide' }])
    expect(await items(ada, 'post', 'term=tide&keys_conversion_map={"post_type":"kind"}')).toEqual([{ kind: 'Posts' }])
  })

  test('returns all public fields without names', async () => {
    const { ada } = await openSite()
    for (const empty of ['keys_conversion_map=', 'keys_conversion_map={}', 'keys_conversion_map=[]']) {
      const [item] = await items(ada, 'post', `term=password&${empty}`)
      expect(item).toMatchObject({ post_title: 'Behind a password', post_type: 'post', post_status: 'publish' })
      expect(JSON.stringify(item)).not.toMatch(/sesame|Hidden/)
    }
  })

  test.each(['post_password', 'post_content', 'guid', 'toString', 'hasOwnProperty', 'nothing'])(
    'the field %s is left out',
    async (field) => {
      const { ada } = await openSite()
      expect(await items(ada, 'post', `term=password&keys_conversion_map[${field}]=x`)).toEqual([{}])
    },
  )

  test('ignores or refuses names of prototype members', async () => {
    const { ada } = await openSite()
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const direct = await request(ada, 'post', `term=tide&keys_conversion_map[${name}]=x`)
      expect([name, direct.status]).toEqual([name, 400])
      expect(await items(ada, 'post', `term=tide&keys_conversion_map={"${name}":"x"}`)).toEqual([{}])
    }
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('refuses names that are not texts, and more than 50 names', async () => {
    const { ada } = await openSite()
    const error = [400, 'rest_invalid_param', 'keys_conversion_map']
    expect(await invalidParams(ada, 'post', 'term=e&keys_conversion_map[ID][x]=y')).toEqual(error)
    expect(await invalidParams(ada, 'post', 'term=e&keys_conversion_map={"ID":7}')).toEqual(error)
    const many = Array.from({ length: 51 }, (_, index) => `keys_conversion_map[f${index}]=x`).join('&')
    expect(await invalidParams(ada, 'post', `term=e&${many}`)).toEqual(error)
  })
})

test('a long list costs the same number of storage calls as a short one', async () => {
  let calls = 0
  const { ada } = await openSite({
    storage: (opened) => ({ ...opened, posts: counted(opened.posts), meta: counted(opened.meta) }),
  })
  function counted<T extends object>(store: T): T {
    return new Proxy(store, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          calls++
          return member.apply(target, args)
        }
      },
    })
  }
  const costOf = async (count: number) => {
    calls = 0
    await items(ada, 'post', `term=e&items_count=${count}`)
    return calls
  }
  await costOf(1)
  expect(await costOf(100)).toBe(await costOf(1))
})
