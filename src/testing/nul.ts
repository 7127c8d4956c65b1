/** Text with a NUL: throws before anything is written, at any depth of a value. */
import { postFields } from '../contract/fields/posts.ts'
import type { StoredField, StoredFields } from '../contract/fields/stored-field.ts'
import { termFields } from '../contract/fields/terms.ts'
import { userFields } from '../contract/fields/users.ts'
import type { Json, MetaOwner, Storage } from '../contract/storage.ts'
import { type ConformanceCase, equal, throws } from './case.ts'
import {
  addPost,
  addTerm,
  addUser,
  findPosts,
  findTerms,
  findThings,
  findUsers,
  postValues,
  termValues,
  things,
  userValues,
} from './content.ts'

const bad = 'a\0b'
const badValues: readonly Json[] = [bad, '\0', [bad], { a: [{ b: bad }] }, { [bad]: 1 }, { a: { [bad]: 1 } }]

/** A wrong value of each field that holds text. */
const wrongValues = (fields: StoredFields): { readonly [field: string]: Json }[] =>
  Object.entries<StoredField>(fields).flatMap(([name, { kind }]): { readonly [field: string]: Json }[] => {
    if (kind === 'text') return [{ [name]: bad }]
    if (kind === 'texts') return [{ [name]: ['x', bad] }]
    return kind === 'flags' ? [{ [name]: { [bad]: true } }] : []
  })

async function readMeta(storage: Storage, owner: MetaOwner, id: number): Promise<unknown> {
  return storage.meta.read(owner, [id])
}

export const nulCases: readonly ConformanceCase[] = [
  {
    name: 'throws for a NUL in posts and writes nothing',
    async run(storage) {
      const id = await addPost(storage, { title: 'a' })
      const before = await storage.posts.read([id])
      for (const changes of wrongValues(postFields)) {
        const about = `a post's ${Object.keys(changes)}`
        await throws(() => storage.posts.insert([postValues(), postValues(changes)]), about)
        const updates = [
          { id, changes: { excerpt: 'b' } },
          { id, changes },
        ]
        await throws(() => storage.posts.update(updates), `${about}, updated`)
      }
      equal(await findPosts(storage), [id], 'what is stored')
      equal(await storage.posts.read([id]), before, 'the post')
    },
  },
  {
    name: 'throws for a NUL in terms and users and writes nothing',
    async run(storage) {
      const term = await addTerm(storage, 'a')
      for (const changes of wrongValues(termFields)) {
        const about = `a term's ${Object.keys(changes)}`
        await throws(() => storage.terms.insert([termValues('b'), termValues('c', changes)]), about)
        await throws(() => storage.terms.update([{ id: term, changes }]), `${about}, updated`)
      }
      equal(await findTerms(storage, { slugs: ['a'], taxonomies: ['category'] }), [term], 'the term')
      equal(await findTerms(storage), [term], 'the terms')
      const user = await addUser(storage, 'a')
      for (const changes of wrongValues(userFields)) {
        const about = `a user's ${Object.keys(changes)}`
        await throws(() => storage.users.insert([userValues('b'), userValues('c', changes)]), about)
        await throws(() => storage.users.update([{ id: user, changes }]), `${about}, updated`)
      }
      equal(await findUsers(storage, { logins: ['a'], slugs: ['a'] }), [user], 'the user')
      equal(await findUsers(storage), [user], 'the users')
    },
  },
  {
    name: 'throws for a NUL in meta and writes nothing',
    async run(storage) {
      const id = await addPost(storage)
      const good = { id, key: 'good', value: 1 }
      for (const value of badValues) {
        const entries = [good, { id, key: 'k', value }]
        await throws(() => storage.meta.write('post', entries), `the value ${JSON.stringify(value)}`)
      }
      await throws(() => storage.meta.write('post', [good, { id, key: bad, value: 1 }]), 'a key')
      equal(await readMeta(storage, 'post', id), [], 'the meta')
    },
  },
  {
    name: 'throws for a NUL in options and writes nothing',
    async run(storage) {
      for (const value of badValues) {
        const about = JSON.stringify(value)
        await throws(() => storage.options.write({ good: 1, k: value }), `writing ${about}`)
        await throws(() => storage.options.swap('k', null, value), `swapping in ${about}`)
      }
      await throws(() => storage.options.write({ good: 1, [bad]: 1 }), 'a name')
      await throws(() => storage.options.swap(bad, null, 1), 'a name in a swap')
      equal(await storage.options.read(), {}, 'the options')
    },
  },
  {
    name: 'throws for a NUL in records and writes nothing',
    async run(storage) {
      const [id] = (await storage.records.insert(things, [{ name: 'a' }])) as [number]
      const wrong = [{ name: bad }, ...badValues.map((extra) => ({ extra }))]
      for (const values of wrong) {
        const about = JSON.stringify(values)
        await throws(() => storage.records.insert(things, [{ name: 'b' }, values]), `inserting ${about}`)
        const updates = [
          { id, changes: { name: 'b' } },
          { id, changes: values },
        ]
        await throws(() => storage.records.update(things, updates), `updating ${about}`)
      }
      equal(await findThings(storage, { field: 'name', is: 'a' }), [id], 'the record')
      equal(await findThings(storage), [id], 'the records')
    },
  },
]
