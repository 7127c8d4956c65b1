/** Arguments and results are copies: changing them does not change stored values. */
import type { Json } from '../contract/storage.ts'
import { type ConformanceCase, equal, tamper } from './case.ts'
import { addPost, findPosts, findThings, postValues, termValues, things, userValues } from './content.ts'

/** A value of the contract without `readonly`. */
type Mutable = { [member: string]: unknown }

const byId = { order: { by: 'id', descending: false }, offset: 0, limit: 9 } as const

function spoil(value: unknown): void {
  const mutable = value as Mutable
  for (const member of Object.keys(mutable)) {
    const inner = mutable[member]
    if (typeof inner === 'object' && inner !== null) spoil(inner)
    tamper(() => {
      mutable[member] = 'spoiled'
    })
  }
  tamper(() => {
    mutable['added'] = true
  })
  if (Array.isArray(value)) tamper(() => value.reverse())
}

export const copyCases: readonly ConformanceCase[] = [
  {
    name: 'does not share posts with arguments or results',
    async run(storage) {
      const values = postValues({ title: 'a' })
      const rows = [values]
      const ids = await storage.posts.insert(rows)
      const id = ids[0] ?? 0
      spoil(rows)
      spoil(ids)
      const changes = { excerpt: 'b' }
      const updated = await storage.posts.update([{ id, changes }])
      spoil(changes)
      spoil(updated)
      spoil(await storage.posts.read([id]))
      spoil(await storage.posts.query({ types: ['post'], ...byId }))
      const expected = { id, ...postValues({ title: 'a', excerpt: 'b' }), version: 2 }
      equal(await storage.posts.read([id]), [expected], 'the post')
      equal(await findPosts(storage), [id], 'the list')
    },
  },
  {
    name: 'does not share terms with arguments or results',
    async run(storage) {
      const post = await addPost(storage)
      const rows = [termValues('a')]
      const [id] = (await storage.terms.insert(rows)) as [number]
      spoil(rows)
      const terms = [id]
      await storage.terms.assign([{ post, taxonomy: 'category', terms }])
      spoil(terms)
      spoil(await storage.terms.query(byId))
      spoil(await storage.terms.of([post]))
      spoil(await storage.terms.below([0]))
      equal((await storage.terms.query(byId)).rows, [{ id, ...termValues('a'), count: 1 }], 'the term')
      equal(await storage.terms.of([post]), [{ post, term: id, taxonomy: 'category' }], 'the assignment')
    },
  },
  {
    name: 'does not share users with arguments or results',
    async run(storage) {
      const values = () => userValues('a', { roles: ['author', 'editor'], capabilities: { edit: true } })
      const row = values()
      const [id] = (await storage.users.insert([row])) as [number]
      spoil(row)
      const roles = ['editor', 'author']
      await storage.users.update([{ id, changes: { roles } }])
      spoil(roles)
      spoil(await storage.users.query(byId))
      const expected = { id, ...values(), roles: ['editor', 'author'] }
      equal((await storage.users.query(byId)).rows, [expected], 'the user')
    },
  },
  {
    name: 'does not share meta and options with arguments or results',
    async run(storage) {
      const id = await addPost(storage)
      const value = (): Json => ({ a: [1, { b: 2 }], c: 3 })
      const meta = value()
      await storage.meta.write('post', [{ id, key: 'k', value: meta }])
      spoil(meta)
      spoil(await storage.meta.read('post', [id]))
      equal(await storage.meta.read('post', [id]), [{ id, key: 'k', value: value() }], 'the meta')
      const options = { o: value() }
      await storage.options.write(options)
      spoil(options)
      spoil(await storage.options.read())
      equal(await storage.options.read(), { o: value() }, 'the option written')
      const next = value()
      await storage.options.swap('p', null, next)
      spoil(next)
      spoil(await storage.options.read(['p']))
      equal(await storage.options.swap('p', value(), 1), true, 'the option swapped')
    },
  },
  {
    name: 'does not share records with arguments or results',
    async run(storage) {
      const extra = (): Json => ({ a: [1, { b: 2 }] })
      const rows = [{ name: 'a', extra: extra() }]
      const [id] = (await storage.records.insert(things, rows)) as [number]
      spoil(rows)
      const changes = { extra: extra(), size: 1 }
      await storage.records.update(things, [{ id, changes }])
      spoil(changes)
      spoil(await storage.records.query(things, {}))
      const records = (await storage.records.query(things, {})).rows
      const expected = { id, name: 'a', size: 1, weight: null, ready: null, extra: extra(), owner: null }
      equal(records, [expected], 'the record')
      equal(await findThings(storage, { field: 'name', is: 'a' }), [id], 'the list')
    },
  },
]
