/** Documents that complete each other, members that a feature adds, and files. */

import memoryDriver from 'unstorage/drivers/memory'
import { expect, test } from 'vitest'
import { list, object, required, str } from '../../src/core/declare/args.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { createMedia } from '../../src/services/media.ts'
import { createTestSite } from '../support/site.ts'

const people = {
  users: [{ key: 'ada', login: 'ada', description: 'Keeps the lights on.' }],
  options: { name: 'One', description: 'First' },
}
const writings = {
  options: { name: 'Two' },
  users: [{ key: 'bo', login: 'bo' }],
  pages: [{ key: 'about', author: 'ada', menu_order: 3 }],
}

test('documents complete each other: lists are joined, and the last option wins', async () => {
  const site = await createTestSite({ seed: false })
  const ids = await site.api.site.seed([people, writings])
  expect(Object.keys(ids)).toEqual(['user.ada', 'user.bo', 'page.about'])
  const { options, users, pages } = await site.api.site.export()
  expect(options).toMatchObject({ name: 'Two', description: 'First' })
  expect(users?.map(({ login }) => login)).toEqual(['ada', 'bo'])
  expect(users?.[0]?.meta).toEqual({ description: 'Keeps the lights on.' })
  expect(pages?.[0]).toMatchObject({ author: 'ada' })
  await site.dispose()
})

test('a key of one document may not be repeated in another', async () => {
  const site = await createTestSite({ seed: false })
  await expect(site.api.site.seed([people, people])).rejects.toThrow('users[1]')
  expect(await site.api.site.isEmpty()).toBe(true)
  await site.dispose()
})

const shelf = object(
  { key: required(str()), name: required(str()), shows: required(str()), books: list(str()) },
  { additionalProperties: false },
)

/** A shelf is a term, and each of its books a post of the type `book` that points at another post. */
const shelves = feature('shelves', 'shelves/v1', [], {
  persisted: {
    postTypes: ['book'],
    sections: [
      {
        member: 'shelves',
        entry: shelf,
        expand: ({ key, name, shows, books = [] }: { key: string; name: string; shows: string; books?: string[] }) => ({
          terms: [{ kind: 'shelf', key, taxonomy: 'shelf', slug: key, name }],
          documents: books.map((book) => ({
            kind: 'book',
            key: book,
            type: 'book',
            terms: { shelf: [`shelf.${key}`] },
            meta_references: { shows },
          })),
        }),
      },
    ],
  },
})

test('a feature adds a member, whose entries get ids by kinds of their own', async () => {
  const site = await createTestSite({ seed: false, profile: profile({ ...d1, features: [...d1.features, shelves] }) })
  const document = { ...writings, users: [...people.users, ...writings.users] }
  const ids = await site.api.site.seed({
    ...document,
    shelves: [{ key: 'top', name: 'Top', shows: 'page.about', books: ['red', 'blue'] }],
  })
  expect(Object.keys(ids)).toEqual(['user.ada', 'user.bo', 'shelf.top', 'page.about', 'book.red', 'book.blue'])
  const { documents = [] } = await site.api.site.export()
  expect(documents.map(({ type, meta, terms }) => [type, meta, terms])).toEqual(
    ['red', 'blue'].map(() => ['book', { shows: ids['page.about'] }, { shelf: ['top'] }]),
  )
  await site.dispose()
})

test.each([
  ['an unknown member of an entry', [{ key: 'top', name: 'Top', shows: 'page.about', colour: 'red' }], 'colour'],
  ['a reference to nothing', [{ key: 'top', name: 'Top', shows: 'page.none', books: ['red'] }], 'page.none'],
])('refuses %s', async (_, entries, message) => {
  const site = await createTestSite({ seed: false, profile: profile({ ...d1, features: [...d1.features, shelves] }) })
  await expect(site.api.site.seed({ shelves: entries })).rejects.toThrow(message)
  expect(await site.api.site.isEmpty()).toBe(true)
  await site.dispose()
})

test('stores the bytes of a medium', async () => {
  const media = createMedia({ driver: memoryDriver() })
  const site = await createTestSite({ seed: false, services: { media } })
  await site.api.site.seed({
    media: [{ key: 'note', file: '2024/01/note.txt', mime_type: 'text/plain', data: btoa('tide'), caption: 'A note' }],
  })
  expect(await media.read('2024/01/note.txt')).toEqual(new TextEncoder().encode('tide'))
  expect((await site.api.site.export()).media?.[0]).toMatchObject({ excerpt: 'A note' })
  await site.dispose()
})
