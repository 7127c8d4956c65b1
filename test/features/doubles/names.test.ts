/** Records that share a title, a name or a file name: the next one costs the storage no more than the first of another name. */
import { expect, test } from 'vitest'
import { counts, expectNear, inSlices, openSite, row, storageOf } from './site.ts'

const kinds = [
  ['posts', 'post'],
  ['pages', 'page'],
] as const

test.each(kinds)('the next of %s with one title', async (kind, type) => {
  for (const count of counts) {
    const { site, create } = await openSite()
    await inSlices(count, (numbers) => storageOf(site).posts.insert(numbers.map((number) => row(type, number))))
    const body = { status: 'publish', content: 'Words.' }
    await create(`/cms/v2/${kind}`, { body: { ...body, title: 'Warm' } })
    const other = await create(`/cms/v2/${kind}`, { body: { ...body, title: 'Another' } })
    const next = await create(`/cms/v2/${kind}`, { body: { ...body, title: 'Twins' } })
    expect(next.slug).toBe(`twins-${count + 1}`)
    expectNear(next, other)
    expect(next.values).toBeLessThan(3000)
  }
})

test('the next term of one name, in another letter case', async () => {
  for (const count of counts) {
    const { site, create } = await openSite()
    await inSlices(count, (numbers) =>
      storageOf(site).terms.insert(
        numbers.map((number) => ({
          ...{ taxonomy: 'post_tag', name: `Twins ${number}`, slug: row('', number).slug, description: '', parent: 0 },
        })),
      ),
    )
    await create('/cms/v2/tags', { body: { name: 'Warm' } })
    const other = await create('/cms/v2/tags', { body: { name: 'Another' } })
    const next = await create('/cms/v2/tags', { body: { name: 'Twins' } })
    expect(next.slug).toBe(`twins-${count + 1}`)
    expectNear(next, other)
  }
})

test('the next user whose public name others have', async () => {
  for (const count of counts.slice(0, 2)) {
    const { site, create } = await openSite()
    await inSlices(count, (numbers) =>
      storageOf(site).users.insert(
        numbers.map((number) => ({
          ...{ login: `user${number}`, email: `user${number}@quay.example`, slug: row('', number).slug },
          ...{ displayName: 'Twins', url: '', roles: [], capabilities: {}, password: '', blocked: false },
          registered: '2020-01-01T00:00:00',
        })),
      ),
    )
    const named = (login: string) => ({
      body: { username: login, email: `${login}@quay.example`, password: 'a long one' },
    })
    await create('/cms/v2/users', named('warm'))
    const other = await create('/cms/v2/users', named('another'))
    const next = await create('/cms/v2/users', named('twins'))
    expect(next.slug).toBe(`twins-${count + 1}`)
    expectNear(next, other)
  }
})

test('the next file of one name, and of one title', async () => {
  for (const count of counts) {
    const { site, create } = await openSite()
    await inSlices(count, (numbers) => storageOf(site).posts.insert(numbers.map((number) => row('attachment', number))))
    const upload = (name: string, query = {}) => ({
      ...{ body: 'words', query },
      headers: { 'content-type': 'text/plain', 'content-disposition': `attachment; filename="${name}"` },
    })
    await create('/cms/v2/media', upload('warm.txt'))
    const other = await create('/cms/v2/media', upload('another.txt'))
    const titled = await create('/cms/v2/media', upload('third.txt', { title: 'Twins' }))
    expect(titled.slug).toBe(`twins-${count + 1}`)
    expectNear(titled, other)
  }
})

test('the hundredth upload of one file name', async () => {
  const { create } = await openSite()
  const upload = (name: string) => ({
    body: 'words',
    headers: { 'content-type': 'text/plain', 'content-disposition': `attachment; filename="${name}"` },
  })
  const slugs: string[] = []
  for (let number = 0; number < 99; number++) slugs.push((await create('/cms/v2/media', upload('twins.txt'))).slug)
  expect(slugs.slice(0, 3)).toEqual(['twins', 'twins-1', 'twins-2'])
  expect(slugs.at(-1)).toBe('twins-98')
  const next = await create('/cms/v2/media', upload('twins.txt'))
  const other = await create('/cms/v2/media', upload('another.txt'))
  expectNear(next, other)
})
