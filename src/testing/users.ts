/** Users: queries, unique names, updates, removal. */
import { type ConformanceCase, conflicts, equal, isTrue, throws } from './case.ts'
import { addPost, addUser, findPosts, findUsers, userValues } from './content.ts'

export const userCases: readonly ConformanceCase[] = [
  {
    name: 'returns users as they were written',
    async run(storage) {
      const values = userValues('Ännie', {
        slug: "ännie-o'%",
        displayName: 'Ännie "😀" \\ O\'Neil',
        email: 'Annie@Example.com',
        url: 'https://example.com/?a=b&c=%20',
        roles: ['editor', 'author', 'x"y'],
        capabilities: { edit: true, publish: false, 'a.b "c"': true },
        password: 'scrypt$1$salt$digest',
        blocked: true,
      })
      const [id] = await storage.users.insert([values])
      const { rows } = await storage.users.query({ order: { by: 'id', descending: false }, offset: 0, limit: 9 })
      equal(rows, [{ id, ...values }], 'the row')
    },
  },
  {
    name: 'finds users by id, login, slug, email and role',
    async run(storage) {
      const a = await addUser(storage, 'Ann', { slug: 'ann', email: 'Ann@x.org', roles: ['editor', 'author'] })
      const b = await addUser(storage, 'bob', { slug: 'Bob', email: 'bob@x.org', roles: ['author'] })
      const c = await addUser(storage, 'Čelo', { slug: 'celo-1', roles: ['administrator'] })
      equal(await findUsers(storage), [a, b, c], 'all')
      equal(await findUsers(storage, { ids: [c, a, c, 999] }), [a, c], 'ids')
      equal(await findUsers(storage, { ids: [] }), [], 'no ids')
      equal(await findUsers(storage, { logins: ['ÁNN', 'CELO', 'unknown'] }), [a, c], 'logins')
      equal(await findUsers(storage, { logins: [] }), [], 'no logins')
      equal(await findUsers(storage, { slugs: ['ann', 'bob'] }), [a], 'slugs, as they are')
      equal(await findUsers(storage, { slugs: [] }), [], 'no slugs')
      equal(await findUsers(storage, { emails: ['ANN@X.ORG', 'bob@x.org'] }), [a, b], 'emails')
      equal(await findUsers(storage, { emails: [] }), [], 'no emails')
      equal(await findUsers(storage, { roles: ['author'] }), [a, b], 'one role')
      equal(await findUsers(storage, { roles: ['author', 'editor', 'administrator'] }), [a, b, c], 'roles')
      equal(
        await findUsers(storage, { roles: ['auth', 'Author', '%', 'author","editor'] }),
        [],
        'roles that no user has',
      )
      equal(await findUsers(storage, { roles: [] }), [], 'no roles')
      equal(await findUsers(storage, { roles: ['author'], slugs: ['Bob'], logins: ['BOB'] }), [b], 'joined by AND')
      equal(await findUsers(storage, { roles: ['editor'], slugs: ['Bob'] }), [], 'a combination that no user has')
      const nothing = { ids: undefined, logins: undefined, slugs: undefined, emails: undefined, roles: undefined }
      equal(await findUsers(storage, nothing), [a, b, c], 'undefined members')
    },
  },
  {
    name: 'searches only the given fields of users',
    async run(storage) {
      const a = await addUser(storage, 'Réd', { slug: 'one', email: 'a@x.org', displayName: 'Somebody' })
      const b = await addUser(storage, 'two', { slug: 'x-red', email: 'b@x.org', displayName: 'A 100% fox' })
      const c = await addUser(storage, 'three', { email: 'Rèd@x.org', displayName: 'c_d 😀' })
      const d = await addUser(storage, 'four', { displayName: 'the Red one', url: 'red' })
      const fields = ['login', 'slug', 'email', 'displayName'] as const
      const search = (text: string, named: readonly (typeof fields)[number][] = fields) =>
        findUsers(storage, { search: { text, fields: named } })
      equal(await search('red'), [a, b, c, d], 'all fields')
      for (const [index, field] of fields.entries()) equal(await search('red', [field]), [[a, b, c, d][index]], field)
      equal(await search('red', ['login', 'email']), [a, c], 'two fields')
      equal(await search('red', []), [], 'no fields')
      equal(await search('%'), [b], 'a percent sign')
      equal(await search('_'), [c], 'an underscore')
      equal(await search('😀'), [c], 'an emoji')
      const unknown = ['password'] as never
      await throws(() => search('red', unknown), 'an unknown field')
    },
  },
  {
    name: 'orders users, ties by id in the same direction, in pages, with a total',
    async run(storage) {
      const user = (login: string, slug: string, displayName: string, day: number) =>
        userValues(login, { slug, displayName, registered: `2024-01-0${day}T00:00:00` })
      const ids = await storage.users.insert([
        user('Émil', 'b', 'same', 2),
        user('dora', 'B', 'Sáme', 1),
        user('😀', 'a', 'other', 2),
        user('\ue000', 'é', 'Zoe', 3),
      ])
      const orders = {
        id: [0, 1, 2, 3],
        login: [1, 0, 3, 2],
        slug: [1, 2, 0, 3],
        displayName: [2, 0, 1, 3],
        registered: [1, 0, 2, 3],
      }
      for (const [name, positions] of Object.entries(orders)) {
        // The cast: Object.entries loses the type of the keys.
        const by = name as keyof typeof orders
        const ascending = positions.map((position) => ids[position])
        equal(await findUsers(storage, { order: { by, descending: false } }), ascending, `by ${by}`)
        equal(
          await findUsers(storage, { order: { by, descending: true } }),
          ascending.toReversed(),
          `by ${by}, last first`,
        )
        equal(
          await findUsers(storage, { order: { by, descending: false }, offset: 1, limit: 2 }),
          ascending.slice(1, 3),
          `a page by ${by}`,
        )
      }
      const order = { by: 'login', descending: false } as const
      equal((await storage.users.query({ order, offset: 3, limit: 1, total: true })).total, 4, 'the total')
      equal((await storage.users.query({ order, offset: 0, limit: 1 })).total, 0, 'the total, not requested')
      await throws(() => findUsers(storage, { order: { by: 'url', descending: false } as never }), 'an unknown order')
    },
  },
  {
    name: 'enforces unique logins, slugs and emails of users',
    async run(storage) {
      const a = await addUser(storage, 'Ann', { slug: 'ann', email: 'ann@x.org' })
      const b = await addUser(storage, 'bob', { slug: 'bob', email: 'bob@x.org' })
      const add = (login: string, slug: string, email: string) => addUser(storage, login, { slug, email })
      await conflicts('login', () => add('ÁNN', 'c', 'c@x.org'), 'a login in another case')
      await conflicts('slug', () => add('c', 'ann', 'c@x.org'), 'a slug')
      await conflicts('email', () => add('c', 'c', 'ANN@x.org'), 'an email in another case')
      const twins = [userValues('c'), userValues('C', { slug: 'd' })]
      await conflicts('login', () => storage.users.insert(twins), 'two at once')
      for (const changes of [{ login: 'aNN' }, { slug: 'ann' }, { email: 'Ann@X.org' }]) {
        const updates = [
          { id: a, changes: { url: 'changed' } },
          { id: b, changes },
        ]
        await conflicts(Object.keys(changes)[0] ?? '', () => storage.users.update(updates), 'an update')
      }
      const { rows } = await storage.users.query({ order: { by: 'id', descending: false }, offset: 0, limit: 9 })
      equal(
        rows.map((row) => [row.id, row.url]),
        [
          [a, ''],
          [b, ''],
        ],
        'what is stored',
      )
      equal(
        await storage.users.update([{ id: a, changes: { login: 'ANN', email: 'ANN@x.org' } }]),
        [a],
        'its own names',
      )
    },
  },
  {
    name: 'allows several users with an empty email, and compares slugs unfolded',
    async run(storage) {
      const a = await addUser(storage, 'a', { slug: 'x' })
      const b = await addUser(storage, 'b', { slug: 'X' })
      const c = await addUser(storage, 'c', { slug: 'ẋ' })
      equal(await findUsers(storage), [a, b, c], 'the rows')
    },
  },
  {
    name: 'updates users and returns their ids',
    async run(storage) {
      const a = await addUser(storage, 'a', { roles: ['author'] })
      const b = await addUser(storage, 'b', { capabilities: { edit: true } })
      const updates = [
        { id: b, changes: { blocked: true, url: undefined, capabilities: { edit: false } } },
        { id: 999, changes: { url: 'unknown' } },
        { id: a, changes: { roles: ['editor', 'author'], login: 'A2' } },
      ]
      equal(await storage.users.update(updates), [b, a], 'the ids')
      const { rows } = await storage.users.query({ order: { by: 'id', descending: false }, offset: 0, limit: 9 })
      const expected = [
        { id: a, ...userValues('A2', { slug: 'a', displayName: 'a', roles: ['editor', 'author'] }) },
        { id: b, ...userValues('b', { blocked: true, capabilities: { edit: false } }) },
      ]
      equal(rows, expected, 'the rows')
      equal(await findUsers(storage, { logins: ['a'] }), [], 'the old login')
      equal(await findUsers(storage, { logins: ['a2'] }), [a], 'the new login')
      equal(await findUsers(storage, { roles: ['editor'] }), [a], 'the new role')
      equal(await storage.users.insert([]), [], 'inserting nothing')
      equal(await storage.users.update([]), [], 'updating nothing')
      for (const field of ['weight', 'id']) {
        const changes = { [field]: 7 } as never
        await throws(() => storage.users.update([{ id: a, changes }]), `updating ${field}`)
        await throws(() => storage.users.insert([{ ...userValues('c'), ...(changes as object) }]), `inserting ${field}`)
      }
      equal(await findUsers(storage), [a, b], 'the users')
    },
  },
  {
    name: 'removes users with their meta but not their posts',
    async run(storage) {
      const a = await addUser(storage, 'a')
      const b = await addUser(storage, 'b')
      const post = await addPost(storage, { author: b })
      await storage.meta.write('user', [
        { id: a, key: 'k', value: 1 },
        { id: b, key: 'k', value: 2 },
      ])
      await storage.meta.write('post', [{ id: b, key: 'k', value: 3 }])
      await storage.users.remove([])
      await storage.users.remove([b, 999, b])
      equal(await findUsers(storage), [a], 'the users')
      equal(await storage.meta.read('user', [a, b]), [{ id: a, key: 'k', value: 1 }], 'the meta')
      equal(await storage.meta.read('post', [b]), [{ id: b, key: 'k', value: 3 }], 'the meta of a post with that id')
      equal(await findPosts(storage, { authors: [b] }), [post], 'the posts')
      const c = await addUser(storage, 'b')
      isTrue(c > b, `${c} is above ${b}`)
    },
  },
]
