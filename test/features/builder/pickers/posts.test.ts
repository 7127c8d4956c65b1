import { describe, expect, test } from 'vitest'
import { ask, items, labels, openSite, refused } from './fixture.ts'

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

test('a term is literal, and has an end', async () => {
  const { ada } = await openSite()
  for (const term of ['%25', '_', '\\', "'"]) expect(await items(ada, 'post', `term=${term}`)).toEqual([])
  expect(await refused(ada, 'post', `term=${'x'.repeat(1001)}`)).toEqual([400, 'rest_invalid_param', 'term'])
})

test('the number of items has bounds', async () => {
  const { ada } = await openSite()
  const count = async (asked: string) => (await items(ada, 'post', `term=e&items_count=${asked}`)).length
  expect(await Promise.all(['2', '0', '-5', '1'].map(count))).toEqual([2, 1, 1, 1])
  expect(await count('100000')).toBeGreaterThan(5)
  expect(await refused(ada, 'post', 'term=e&items_count=many')).toEqual([400, 'rest_invalid_param', 'items_count'])
})

describe('types', () => {
  test('lists come as lists, as JSON and separated by commas', async () => {
    const { ada } = await openSite()
    const all = ['Front', 'About', 'Reading the tide']
    for (const form of ['included_types[]=page&included_types[]=post', 'included_types=page,,post']) {
      expect(await labels(ada, 'post', `term=t&${form}`)).toEqual(expect.arrayContaining(all))
    }
    for (const form of ['included_types[]=page', 'included_types=page', 'included_types=["page"]']) {
      expect(await labels(ada, 'post', `term=t&${form}`)).toEqual(['Front', 'About'])
    }
  })

  test('what is left out stays out', async () => {
    const { ada } = await openSite()
    expect(await labels(ada, 'post', 'term=t&excluded_types=post')).toEqual(['Front', 'About'])
    expect(await labels(ada, 'post', 'term=t&included_types=page&excluded_types=page')).toEqual([])
    expect(await labels(ada, 'post', 'term=pier&is_public=false')).toEqual([])
    expect(await labels(ada, 'post', 'term=pier&is_public=false&excluded_types=post')).toEqual(['Pier at dusk'])
  })

  test('only types of content can be asked for', async () => {
    const { ada } = await openSite()
    for (const type of ['revision', 'builder_component', 'nav_menu_item', 'constructor', '__proto__']) {
      expect(await items(ada, 'post', `term=h&included_types=${type}&excluded_types=none&is_public=false`)).toEqual([])
    }
  })

  test('a list of lists is refused', async () => {
    const { ada } = await openSite()
    for (const name of ['included_types', 'excluded_types']) {
      expect(await refused(ada, 'post', `term=e&${name}[0][0]=post`)).toEqual([400, 'rest_invalid_param', name])
    }
  })
})

describe('AZ-13: who sees what', () => {
  test('visitors and subscribers see nothing', async () => {
    const { as } = await openSite()
    const queries = ['term=e', 'term=e&is_public=false', 'term=h&included_types=revision', 'term=e&items_count=1']
    for (const query of [...queries, 'term=e&meta_query[0][key]=_builder_data']) {
      for (const kind of ['post', 'term', 'user']) {
        const [visitor, subscriber] = [await ask(as(null), kind, query), await ask(as('sam'), kind, query)]
        const isRefusal = (status: number, kindOf: number) => status === kindOf || status === 400
        expect([isRefusal(visitor.status, 401), isRefusal(subscriber.status, 403)]).toEqual([true, true])
        expect([visitor.body.data?.value, subscriber.body.data?.value]).toEqual([undefined, undefined])
      }
    }
    for (const kind of ['post', 'term', 'user']) {
      expect((await ask(as(null), kind, 'term=e')).body.code).toBe('rest_forbidden')
      expect((await ask(as('sam'), kind, 'term=e')).body.code).toBe('rest_forbidden')
    }
  })

  test('without a wish only published posts are found', async () => {
    const { ada } = await openSite()
    for (const term of ['draft', 'private', 'pending', 'ahead', 'thrown']) {
      expect(await labels(ada, 'post', `term=${term}`)).toEqual([])
    }
  })

  test('drafts, pending and private posts of others stay hidden', async () => {
    const { as } = await openSite()
    const found = async (login: string, term: string) => labels(as(login), 'post', `term=${term}&is_public=false`)
    const drafts = ['Draft of an author', 'Draft of a contributor']
    const privates = ['Private of an author', 'Private of an editor']
    expect(await found('ada', 'draft')).toEqual(drafts)
    expect(await found('edith', 'draft')).toEqual(drafts)
    expect(await found('arthur', 'draft')).toEqual(['Draft of an author'])
    expect(await found('aiko', 'draft')).toEqual([])
    expect(await found('connie', 'draft')).toEqual(['Draft of a contributor'])
    expect(await found('edith', 'private')).toEqual(privates)
    expect(await found('arthur', 'private')).toEqual(['Private of an author'])
    expect(await found('aiko', 'private')).toEqual([])
    expect(await found('connie', 'pending')).toEqual(['Pending of a contributor'])
    expect(await found('arthur', 'pending')).toEqual([])
    expect(await found('arthur', 'ahead')).toEqual(['Far ahead'])
    expect(await found('aiko', 'ahead')).toEqual([])
  })

  test('the trash is never searched', async () => {
    const { ada } = await openSite()
    expect(await labels(ada, 'post', 'term=thrown&is_public=false')).toEqual([])
  })

  test('the id of a hidden post finds nothing', async () => {
    const { as, ids } = await openSite()
    for (const key of ['post.draft', 'post.private', 'post.trashed', 'revision.hello.1']) {
      expect(await items(as('aiko'), 'post', `term=${ids[key]}&is_public=false&excluded_types=none`)).toEqual([])
    }
  })
})

describe('AZ-14: the names of the answer', () => {
  test('only named fields are answered, under their new names', async () => {
    const { ada, ids } = await openSite()
    const query = 'term=tide&keys_conversion_map[ID]=value&keys_conversion_map[post_name]=slug'
    expect(await items(ada, 'post', query)).toEqual([{ value: ids['post.tide'], slug: 'tide' }])
    expect(await items(ada, 'post', 'term=tide&keys_conversion_map={"post_type":"kind"}')).toEqual([{ kind: 'Posts' }])
  })

  test('no name at all answers every field there is', async () => {
    const { ada } = await openSite()
    for (const empty of ['keys_conversion_map=', 'keys_conversion_map={}', 'keys_conversion_map=[]']) {
      const [found] = await items(ada, 'post', `term=password&${empty}`)
      expect(found).toMatchObject({ post_title: 'Behind a password', post_type: 'post', post_status: 'publish' })
      expect(JSON.stringify(found)).not.toMatch(/sesame|Hidden/)
    }
  })

  test.each(['post_password', 'post_content', 'guid', 'toString', 'hasOwnProperty', 'nothing'])(
    'the field %s is left out',
    async (field) => {
      const { ada } = await openSite()
      expect(await items(ada, 'post', `term=password&keys_conversion_map[${field}]=x`)).toEqual([{}])
    },
  )

  test('names of the language are no names, in any form', async () => {
    const { ada } = await openSite()
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const direct = await ask(ada, 'post', `term=tide&keys_conversion_map[${name}]=x`)
      expect([name, direct.status]).toEqual([name, 400])
      expect(await items(ada, 'post', `term=tide&keys_conversion_map={"${name}":"x"}`)).toEqual([{}])
    }
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('a name is a text, and there are not many', async () => {
    const { ada } = await openSite()
    const wrong = [400, 'rest_invalid_param', 'keys_conversion_map']
    expect(await refused(ada, 'post', 'term=e&keys_conversion_map[ID][x]=y')).toEqual(wrong)
    expect(await refused(ada, 'post', 'term=e&keys_conversion_map={"ID":7}')).toEqual(wrong)
    const many = Array.from({ length: 51 }, (_, index) => `keys_conversion_map[f${index}]=x`).join('&')
    expect(await refused(ada, 'post', `term=e&${many}`)).toEqual(wrong)
  })
})

test('a long answer takes no more storage calls than a short one', async () => {
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
