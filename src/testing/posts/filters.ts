/** Post queries: each filter alone, empty, and combined with the others. */
import { type ConformanceCase, equal, throws } from '../case.ts'
import { addPosts, countPosts, findPosts } from '../content.ts'

export const postFilterCases: readonly ConformanceCase[] = [
  {
    name: 'finds posts by type',
    async run(storage) {
      const [post, page, revision] = await addPosts(storage, [{}, { type: 'page' }, { type: 'revision' }])
      equal(await findPosts(storage, { types: ['post'] }), [post], 'one type')
      equal(await findPosts(storage, { types: ['revision', 'page', 'page'] }), [page, revision], 'two types')
      equal(await findPosts(storage, { types: ['POST'] }), [], 'a type in another case')
      equal(await findPosts(storage, { types: [] }), [], 'no type')
    },
  },
  {
    name: 'finds posts by status, of any author or of one author',
    async run(storage) {
      const [a, b, c, d] = await addPosts(storage, [
        { status: 'publish', author: 1 },
        { status: 'draft', author: 1 },
        { status: 'draft', author: 2 },
        { status: 'private', author: 2 },
      ])
      equal(await findPosts(storage), [a, b, c, d], 'without the filter')
      equal(await findPosts(storage, { statuses: [{ status: 'draft' }] }), [b, c], 'one status')
      equal(await findPosts(storage, { statuses: [{ status: 'draft', author: 2 }] }), [c], 'one status of one author')
      const mixed = [{ status: 'publish' }, { status: 'draft', author: 1 }, { status: 'private', author: 1 }]
      equal(await findPosts(storage, { statuses: mixed }), [a, b], 'branches joined by OR')
      const overlapping = [{ status: 'draft' }, { status: 'draft', author: 1 }]
      equal(await findPosts(storage, { statuses: overlapping }), [b, c], 'overlapping branches')
      equal(await countPosts(storage, { statuses: overlapping }), 2, 'overlapping branches counted')
      equal(await findPosts(storage, { statuses: [] }), [], 'no status')
    },
  },
  {
    name: 'finds posts by id and without ids',
    async run(storage) {
      const [a, b, c] = (await addPosts(storage, [{}, {}, {}])) as [number, number, number]
      equal(await findPosts(storage, { ids: [c, a, c, c + 100] }), [a, c], 'ids')
      equal(await findPosts(storage, { ids: [] }), [], 'no ids')
      equal(await countPosts(storage, { ids: [] }), 0, 'no ids counted')
      equal(await findPosts(storage, { notIds: [b, c + 100] }), [a, c], 'without ids')
      equal(await findPosts(storage, { notIds: [] }), [a, b, c], 'without no ids')
      equal(await findPosts(storage, { ids: [a, b], notIds: [b] }), [a], 'both')
    },
  },
  {
    name: 'accepts lists of ids that are longer than the parameter limit of a statement',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{}, {}])) as [number, number]
      const many = Array.from({ length: 70_000 }, (_, index) => b + 1 + index)
      equal(await findPosts(storage, { ids: [b, ...many, a] }), [a, b], 'ids')
      equal(await findPosts(storage, { notIds: [b, ...many] }), [a], 'without ids')
      const rows = await storage.posts.read([b, ...many, a])
      equal(
        rows.map((row) => row.id),
        [b, a],
        'reading',
      )
    },
  },
  {
    name: 'finds posts by author and without authors',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [{ author: 7 }, { author: 8 }, { author: 9 }])
      equal(await findPosts(storage, { authors: [9, 7] }), [a, c], 'authors')
      equal(await findPosts(storage, { authors: [] }), [], 'no authors')
      equal(await findPosts(storage, { notAuthors: [7, 8] }), [c], 'without authors')
      equal(await findPosts(storage, { notAuthors: [] }), [a, b, c], 'without no authors')
    },
  },
  {
    name: 'finds posts by parent',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [{ parent: 0 }, { parent: 5 }, { parent: 6 }])
      equal(await findPosts(storage, { parents: [5, 6] }), [b, c], 'parents')
      equal(await findPosts(storage, { parents: [0] }), [a], 'no parent')
      equal(await findPosts(storage, { parents: [] }), [], 'an empty list')
    },
  },
  {
    name: 'finds posts by exact slug',
    async run(storage) {
      const slugs = ['plain', 'Plain', "o'clock", 'a"b', '100%', 'a_c', 'a\\b', 'a;--', '😀', 'é', 'e\u0301', '']
      const ids = await addPosts(
        storage,
        slugs.map((slug) => ({ slug })),
      )
      for (const [index, slug] of slugs.entries()) {
        equal(await findPosts(storage, { slugs: [slug] }), [ids[index]], `the slug ${JSON.stringify(slug)}`)
      }
      equal(await findPosts(storage, { slugs: ['PLAIN', 'axc', '1000', 'unknown'] }), [], 'slugs that no post has')
      equal(await findPosts(storage, { slugs: slugs }), ids, 'all slugs')
      equal(await findPosts(storage, { slugs: [] }), [], 'no slugs')
    },
  },
  {
    name: 'finds sticky posts and those with a password',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [{}, { sticky: true }, { password: 'secret' }])
      equal(await findPosts(storage, { sticky: true }), [b], 'sticky')
      equal(await findPosts(storage, { sticky: false }), [a, c], 'not sticky')
      equal(await findPosts(storage, { withPassword: true }), [c], 'with a password')
      equal(await findPosts(storage, { withPassword: false }), [a, b], 'without a password')
    },
  },
  {
    name: 'counts files by their type, also after they have changed and gone',
    async run(storage) {
      const png = { type: 'attachment', mimeType: 'image/png' }
      const [a = 0, b = 0, c = 0] = await addPosts(storage, [png, png, { ...png, mimeType: 'image/gif' }])
      await addPosts(storage, [{ mimeType: 'image/png' }, { type: 'attachment' }])
      const counts = async (what: string, [pngs, gifs, both, noFiles]: readonly number[]) => {
        const count = (...mimeTypes: readonly string[]) => countPosts(storage, { types: ['attachment'], mimeTypes })
        equal(await count('image/png'), pngs, `${what}: of one type`)
        equal(await count('image/gif'), gifs, `${what}: of another`)
        equal(await count('image/png', 'image/gif', 'image/png'), both, `${what}: of two types`)
        equal(await count(''), noFiles, `${what}: without a file`)
      }
      await counts('new', [2, 1, 3, 1])
      await storage.posts.update([{ id: a, changes: { mimeType: 'image/gif' } }])
      await counts('of a new type', [1, 2, 3, 1])
      await storage.posts.update([{ id: b, changes: { status: 'draft' } }])
      const drafts = { types: ['attachment'], mimeTypes: ['image/png'], statuses: [{ status: 'draft' }] }
      equal(await countPosts(storage, drafts), 1, 'of a new status')
      await storage.posts.update([{ id: c, changes: { mimeType: '' } }])
      await storage.posts.remove([b])
      await counts('without a file, and gone', [0, 1, 1, 2])
    },
  },
  {
    name: 'finds posts by media type and by featured medium',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [
        { mimeType: 'image/png', featuredMedia: 7 },
        { mimeType: 'image/gif', featuredMedia: 8 },
        { mimeType: 'text/csv' },
      ])
      equal(await findPosts(storage, { mimeTypes: ['image/png', 'text/csv'] }), [a, c], 'two types')
      equal(await findPosts(storage, { mimeTypes: ['image/'] }), [], 'a part of a type')
      equal(await findPosts(storage, { mimeTypes: [] }), [], 'no type')
      equal(await findPosts(storage, { featuredMedia: [8, 7] }), [a, b], 'two media')
      equal(await findPosts(storage, { featuredMedia: [0] }), [c], 'without a medium')
      equal(await findPosts(storage, { featuredMedia: [0, 8] }), [b, c], 'one medium or none')
      equal(await countPosts(storage, { featuredMedia: [7] }), 1, 'counted')
      equal(await findPosts(storage, { featuredMedia: [] }), [], 'an empty list')
    },
  },
  {
    name: 'finds posts by their place, and without those below a parent',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [{ parent: 5 }, { parent: 6, menuOrder: 2 }, { menuOrder: -1 }])
      equal(await findPosts(storage, { menuOrders: [2, -1] }), [b, c], 'two places')
      equal(await findPosts(storage, { menuOrders: [] }), [], 'no place')
      equal(await findPosts(storage, { notParents: [5] }), [b, c], 'not below one')
      equal(await findPosts(storage, { notParents: [0, 6] }), [a], 'not below several')
      equal(await findPosts(storage, { notParents: [] }), [a, b, c], 'an empty exclusion')
      equal(await findPosts(storage, { parents: [5, 6], notParents: [6], menuOrders: [0] }), [a], 'all of them')
    },
  },
  {
    name: 'finds posts between two dates, bounds exclusive',
    async run(storage) {
      const dates = ['2024-01-01T00:00:00', '2024-01-01T00:00:01', '2024-01-01T00:00:02', '2024-01-02T00:00:00']
      const [a, b, c, d] = await addPosts(
        storage,
        dates.map((date) => ({ date, modified: date })),
      )
      const [first, , third] = dates
      for (const field of ['date', 'modified'] as const) {
        equal(await findPosts(storage, { dates: [{ field, after: first }] }), [b, c, d], `${field} after`)
        equal(await findPosts(storage, { dates: [{ field, before: third }] }), [a, b], `${field} before`)
        equal(await findPosts(storage, { dates: [{ field, after: first, before: third }] }), [b], `${field} between`)
      }
      const both = [
        { field: 'date', after: first },
        { field: 'modified', before: dates[3] },
      ] as const
      equal(await findPosts(storage, { dates: both }), [b, c], 'two ranges')
      equal(await findPosts(storage, { dates: [] }), [a, b, c, d], 'no range')
    },
  },
  {
    name: 'does not match a null date',
    async run(storage) {
      const [, b] = await addPosts(storage, [{ dateGmt: null }, { dateGmt: '2024-01-01T00:00:00' }])
      equal(await findPosts(storage, { dates: [{ field: 'dateGmt', after: '1000-01-01T00:00:00' }] }), [b], 'after')
      equal(await findPosts(storage, { dates: [{ field: 'dateGmt', before: '9999-01-01T00:00:00' }] }), [b], 'before')
    },
  },
  {
    name: 'treats undefined members of a post query as absent',
    async run(storage) {
      const ids = await addPosts(storage, [{}, { sticky: true, password: 'secret', dateGmt: null }])
      const nothing = {
        statuses: undefined,
        ids: undefined,
        notIds: undefined,
        authors: undefined,
        notAuthors: undefined,
        parents: undefined,
        slugs: undefined,
        sticky: undefined,
        withPassword: undefined,
        dates: undefined,
        terms: undefined,
        search: undefined,
        total: undefined,
      }
      equal(await findPosts(storage, nothing), ids, 'a query of undefined members')
      equal(
        await findPosts(storage, { statuses: [{ status: 'publish', author: undefined }] }),
        ids,
        'a status without an author',
      )
      const before = '2025-01-01T00:00:00'
      equal(await findPosts(storage, { dates: [{ field: 'date', after: undefined, before }] }), ids, 'half a range')
    },
  },
  {
    name: 'combines all filters of a post query by AND',
    async run(storage) {
      const fitting = { author: 3, parent: 4, slug: 'x', sticky: true, title: 'Needle', format: 'aside' }
      const [a] = (await addPosts(storage, [
        fitting,
        { ...fitting, slug: 'x2', author: 9 },
        { ...fitting, slug: 'x3', parent: 9 },
        { ...fitting, slug: 'other' },
        { ...fitting, slug: 'x4', sticky: false },
        { ...fitting, slug: 'x5', title: 'Hay' },
        { ...fitting, slug: 'x6', format: 'standard' },
        { ...fitting, slug: 'x7', status: 'draft' },
        { ...fitting, slug: 'x8', date: '2030-01-01T00:00:00' },
        { ...fitting, slug: 'x9', password: 'secret' },
        { ...fitting, type: 'page' },
      ])) as [number]
      const query = {
        statuses: [{ status: 'publish' }],
        authors: [3],
        parents: [4],
        slugs: ['x', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', 'x9'],
        sticky: true,
        withPassword: false,
        dates: [{ field: 'date' as const, before: '2029-01-01T00:00:00' }],
        terms: { formats: ['aside'] },
        search: { every: ['needle'], none: [], columns: ['title' as const], exact: false },
      }
      equal(await findPosts(storage, query), [a], 'all filters')
      equal(await countPosts(storage, query), 1, 'all filters counted')
      equal(await findPosts(storage, { ...query, notIds: [a] }), [], 'and one more')
    },
  },
  {
    name: 'throws for unknown fields in a post query',
    async run(storage) {
      await addPosts(storage, [{ title: 'a' }])
      // The casts: a caller without types could pass these.
      const order = { by: 'weight', descending: false } as never
      await throws(() => findPosts(storage, { order }), 'an unknown order')
      const dates = [{ field: 'password', after: '' }] as never
      await throws(() => findPosts(storage, { dates }), 'an unknown date')
      const search = { every: ['a'], none: [], columns: ['password'], exact: false } as never
      await throws(() => findPosts(storage, { search }), 'an unknown column')
    },
  },
]
