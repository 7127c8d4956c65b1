/** Users: queries, unique names, updates, removal. */
import type { UserSearchField, UserValues } from '../contract/users.ts'
import { type ConformanceCase, conflicts, equal, isTrue, throws } from './case.ts'
import { addPost, addUser, findPosts, findUsers, userValues } from './content.ts'

const byName = { by: 'displayName', descending: false } as const

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
      equal(await findUsers(storage, { logins: ['ANN', 'ČELO', 'Celo'] }), [a, c], 'logins')
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
      const search = (text: string, named: readonly UserSearchField[] = fields) =>
        findUsers(storage, { search: { text, fields: named } })
      equal(await search('red'), [a, b, c, d], 'all fields')
      for (const [index, field] of fields.entries()) equal(await search('red', [field]), [[a, b, c, d][index]], field)
      equal(await search('red', ['login', 'email']), [a, c], 'two fields')
      equal(await search('red', []), [], 'no fields')
      equal(await search('%'), [b], 'a percent sign')
      equal(await search('_'), [c], 'an underscore')
      equal(await search('😀'), [c], 'an emoji')
      equal(await search(String(c), ['id']), [c], 'an id')
      equal(await search(String(b), ['id', 'email']), [b], 'an id or an email')
      equal(await search(`0${b}`, ['id']), [], 'an id with a leading zero')
      const unknown = ['password'] as never
      await throws(() => search('red', unknown), 'an unknown field')
    },
  },
  {
    name: 'orders users, ties by id in the same direction, in pages, with a total',
    async run(storage) {
      const user = (login: string, slug: string, displayName: string, day: number, others: Partial<UserValues>) =>
        userValues(login, { slug, displayName, registered: `2024-01-0${day}T00:00:00`, ...others })
      const ids = await storage.users.insert([
        user('Émil', 'b', 'same', 2, { email: 'É@x.org', url: 'https://x.org' }),
        user('dora', 'B', 'Sáme', 1, { url: 'http://x.org' }),
        user('😀', 'a', 'other', 2, { email: 'd@x.org', url: 'http://x.org' }),
        user('\ue000', 'é', 'Zoe', 3, { email: 'F@x.org', url: 'Http://x.org' }),
      ])
      const orders = {
        id: [0, 1, 2, 3],
        login: [1, 0, 3, 2],
        slug: [1, 2, 0, 3],
        displayName: [2, 0, 1, 3],
        email: [1, 2, 0, 3],
        url: [3, 1, 2, 0],
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
      await throws(
        () => findUsers(storage, { order: { by: 'password', descending: false } as never }),
        'an unknown order',
      )
    },
  },
  {
    name: 'counts users, without excluded ones',
    async run(storage) {
      const order = { by: 'registered', descending: true } as const
      const total = async (notIds: readonly number[] = []) =>
        (await storage.users.query({ notIds, order, offset: 0, limit: 1, total: true })).total
      equal(await total(), 0, 'at first')
      const [a] = (await storage.users.insert(['Ann', 'Bob', 'Celo'].map((login) => userValues(login)))) as [number]
      equal([await total(), await total([a, a, 999])], [3, 2], 'after an insert')
      await storage.users.remove([a])
      equal([await total(), await total([a])], [2, 2], 'after a removal')
    },
  },
  {
    name: 'orders users like the list of ids or slugs in the query',
    async run(storage) {
      const a = await addUser(storage, 'a', { slug: 'x' })
      const b = await addUser(storage, 'b', { slug: 'y' })
      const c = await addUser(storage, 'c', { slug: 'z' })
      equal(await findUsers(storage, { ids: [c, a, 999, c, b], order: { by: 'ids' } }), [c, a, b], 'ids')
      equal(await findUsers(storage, { ids: [c, a, b], order: { by: 'ids' }, offset: 1, limit: 1 }), [a], 'a page')
      equal(await findUsers(storage, { slugs: ['z', 'none', 'y'], order: { by: 'slugs' } }), [c, b], 'slugs')
      await throws(() => findUsers(storage, { order: { by: 'ids' } }), 'without ids')
      await throws(() => findUsers(storage, { order: { by: 'slugs' } }), 'without slugs')
    },
  },
  {
    name: 'leaves out users by id, and finds users by login or email',
    async run(storage) {
      const a = await addUser(storage, 'Ann', { email: 'Ann@x.org' })
      const b = await addUser(storage, 'bob@x.org', { slug: 'bob' })
      const c = await addUser(storage, 'cat', { email: 'bob@x.org' })
      equal(await findUsers(storage, { notIds: [a, 999] }), [b, c], 'without one')
      equal(await findUsers(storage, { notIds: [] }), [a, b, c], 'without none')
      equal(await findUsers(storage, { ids: [a, b], notIds: [b] }), [a], 'joined by AND')
      equal(await findUsers(storage, { names: ['ANN'] }), [a], 'a login')
      equal(await findUsers(storage, { names: ['ANN@x.org', 'Cat'] }), [a, c], 'an address and a login')
      equal(await findUsers(storage, { names: ['BOB@x.org'] }), [b, c], 'a login that is an address of another user')
      equal(await findUsers(storage, { names: ['', 'unknown'] }), [], 'an empty name')
      equal(await findUsers(storage, { names: [] }), [], 'no names')
    },
  },
  {
    name: 'finds users by capabilities of their roles and of their own',
    async run(storage) {
      const a = await addUser(storage, 'a', { roles: ['editor', 'extra'] })
      const b = await addUser(storage, 'b', { roles: ['author'], capabilities: { edit: false, "it's": true } })
      const c = await addUser(storage, 'c', { capabilities: { edit: true, toString: false } })
      const d = await addUser(storage, 'd', { roles: ['reader'] })
      const find = (...lists: readonly (readonly [string, readonly string[]])[][]) =>
        findUsers(storage, {
          capabilities: lists.map((list) => list.map(([capability, roles]) => ({ capability, roles }))),
        })
      equal(await find([['edit', ['editor', 'author']]]), [a, c], 'granted by a role or to the user, and not revoked')
      equal(await find([['edit', []]]), [c], 'without roles')
      equal(await find([['toString', ['reader']]]), [d], 'the name of a method')
      const edit = ['edit', ['editor', 'author']] as const
      equal(await find([edit, ["it's", []]]), [a, b, c], 'one of two')
      equal(await find([edit], [['read', ['extra']]]), [a], 'both lists')
      equal(await find([]), [], 'none of no capabilities')
      equal(await find(), [a, b, c, d], 'no lists')
    },
  },
  {
    name: 'finds the authors of posts by the types and statuses of their posts',
    async run(storage) {
      const [a = 0, b = 0, c = 0, d = 0] = await storage.users.insert(
        ['a', 'b', 'c', 'd'].map((login) => userValues(login)),
      )
      await addPost(storage, { type: 'post', status: 'publish', author: b })
      await addPost(storage, { type: 'post', status: 'publish', author: b, slug: 'two' })
      await addPost(storage, { type: 'post', status: 'draft', author: a })
      const page = await addPost(storage, { type: 'page', status: 'publish', author: d })
      await addPost(storage, { type: 'page', status: 'publish', author: 999 })
      const find = (types: readonly string[], statuses: readonly string[]) =>
        findUsers(storage, { authorsOf: { types, statuses } })
      equal(await find(['post', 'page'], ['publish']), [b, d], 'two types')
      equal(await find(['post'], ['publish']), [b], 'one type')
      equal(await find(['post'], ['draft', 'publish']), [a, b], 'two statuses')
      equal(await find([], ['publish']), [], 'no types')
      equal(await find(['post'], []), [], 'no statuses')
      equal(await findUsers(storage, { authorsOf: { types: ['page'], statuses: ['publish'] }, ids: [b, c] }), [], 'AND')
      const counted = { authorsOf: { types: ['post', 'page'], statuses: ['publish'] }, order: byName, total: true }
      equal((await storage.users.query({ ...counted, offset: 0, limit: 1 })).total, 2, 'the total')
      await storage.posts.update([{ id: page, changes: { author: c } }])
      equal(await find(['page'], ['publish']), [c], 'after a change of the author')
      await storage.posts.remove([page])
      equal(await find(['page'], ['publish']), [], 'after a removal')
    },
  },
  {
    name: 'enforces unique logins, slugs and emails of users',
    async run(storage) {
      const a = await addUser(storage, 'Ann', { slug: 'ann', email: 'ann@x.org' })
      const b = await addUser(storage, 'bob', { slug: 'bob', email: 'bob@x.org' })
      const add = (login: string, slug: string, email: string) => addUser(storage, login, { slug, email })
      await conflicts('login', () => add('ANN', 'c', 'c@x.org'), 'a login in another case')
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
    name: 'tells logins and emails apart by their marks, not by case or by the form of Unicode',
    async run(storage) {
      const add = (login: string, slug: string) => addUser(storage, login, { slug, email: `${login}@x.org` })
      const a = await add('año', 'a')
      const b = await add('ano', 'b')
      const c = await add('किताब', 'c')
      const d = await add('कताब', 'd')
      await conflicts('login', () => addUser(storage, 'AÑO', { slug: 'e' }), 'another case')
      await conflicts('login', () => addUser(storage, 'an\u0303o', { slug: 'e' }), 'the form NFD')
      await conflicts('email', () => addUser(storage, 'e', { email: 'AN\u0303O@x.org' }), 'an email in the form NFD')
      equal(await findUsers(storage, { logins: ['AN\u0303O'] }), [a], 'a login')
      equal(await findUsers(storage, { emails: ['ANO@x.org'] }), [b], 'an email')
      equal(await findUsers(storage, { names: ['किताब', 'कताब@x.org'] }), [c, d], 'both')
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
      equal(await findUsers(storage, { roles: ['administrator'] }), [], 'a role that nobody has')
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
