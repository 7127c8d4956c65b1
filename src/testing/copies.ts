/** What goes in and out are copies: changing them changes nothing that is stored. */
import type { Json } from '../storage/contract.ts'
import { type ConformanceCase, equal, tamper } from './case.ts'
import { addPost, findPosts, findThings, postValues, termValues, things, userValues } from './content.ts'

/** The readonly of the contract taken off, to do what a careless caller does. */
type Careless = { [member: string]: unknown }

const byId = { order: { by: 'id', descending: false }, offset: 0, limit: 9 } as const

function spoil(value: unknown): void {
  const careless = value as Careless
  for (const member of Object.keys(careless)) {
    const inner = careless[member]
    if (typeof inner === 'object' && inner !== null) spoil(inner)
    tamper(() => {
      careless[member] = 'spoiled'
    })
  }
  tamper(() => {
    careless['added'] = true
  })
  if (Array.isArray(value)) tamper(() => value.reverse())
}

export const copyCases: readonly ConformanceCase[] = [
  {
    name: 'keeps posts apart from the values that were written and read',
    async run(storage) {
      const values = postValues({ title: 'a' })
      const rows = [values]
      const ids = await storage.posts.insert(rows)
      const id = ids[0] ?? 0
      spoil(rows)
      spoil(ids)
      const changes = { excerpt: 'b' }
      const changed = await storage.posts.update([{ id, changes }])
      spoil(changes)
      spoil(changed)
      spoil(await storage.posts.read([id]))
      spoil(await storage.posts.query({ types: ['post'], ...byId }))
      const expected = { id, ...postValues({ title: 'a', excerpt: 'b' }), version: 2 }
      equal(await storage.posts.read([id]), [expected], 'the post')
      equal(await findPosts(storage), [id], 'the list')
    },
  },
  {
    name: 'keeps terms apart from the values that were written and read',
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
      equal((await storage.terms.query(byId)).rows, [{ id, ...termValues('a') }], 'the term')
      equal(await storage.terms.of([post]), [{ post, term: id, taxonomy: 'category' }], 'the assignment')
    },
  },
  {
    name: 'keeps users apart from the values that were written and read',
    async run(storage) {
      const values = () => userValues('a', { roles: ['author', 'editor'], capabilities: { edit: true } })
      const given = values()
      const [id] = (await storage.users.insert([given])) as [number]
      spoil(given)
      const roles = ['editor', 'author']
      await storage.users.update([{ id, changes: { roles } }])
      spoil(roles)
      spoil(await storage.users.query(byId))
      const expected = { id, ...values(), roles: ['editor', 'author'] }
      equal((await storage.users.query(byId)).rows, [expected], 'the user')
    },
  },
  {
    name: 'keeps meta and options apart from the values that were written and read',
    async run(storage) {
      const id = await addPost(storage)
      const value = (): Json => ({ a: [1, { b: 2 }], c: 3 })
      const meta = value()
      await storage.meta.write('post', [{ id, key: 'k', value: meta }])
      spoil(meta)
      spoil(await storage.meta.read('post', [id]))
      equal(await storage.meta.read('post', [id]), [{ id, key: 'k', value: value() }], 'the meta')
      const written = { o: value() }
      await storage.options.write(written)
      spoil(written)
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
    name: 'keeps records apart from the values that were written and read',
    async run(storage) {
      const extra = (): Json => ({ a: [1, { b: 2 }] })
      const rows = [{ name: 'a', extra: extra() }]
      const [id] = (await storage.records.insert(things, rows)) as [number]
      spoil(rows)
      const changes = { extra: extra(), size: 1 }
      await storage.records.update(things, [{ id, changes }])
      spoil(changes)
      spoil(await storage.records.query(things, {}))
      const { rows: found } = await storage.records.query(things, {})
      const expected = { id, name: 'a', size: 1, weight: null, ready: null, extra: extra(), owner: null }
      equal(found, [expected], 'the record')
      equal(await findThings(storage, { field: 'name', is: 'a' }), [id], 'the list')
    },
  },
]
