/** Storages with defects of reading and writing posts. */
import type { Post, PostStore } from '../../../src/contract/storage.ts'
import { type Break, mapRow, withoutNul } from './break.ts'

export const brokenPosts: { readonly [name: string]: Break } = {
  'reports an update that it does not write': () => ({
    posts: { update: (updates) => updates.map((update) => update.id) },
  }),
  'loses the last row of a list': ({ posts }) => ({
    posts: { insert: async (rows) => posts.insert(rows.length > 2 ? rows.slice(0, -1) : rows) },
  }),
  'reads the first version of a post': ({ posts }) => {
    const firstVersions = new Map<number, Post>()
    const read: PostStore['read'] = async (ids) => {
      for (const row of await posts.read(ids)) if (!firstVersions.has(row.id)) firstVersions.set(row.id, row)
      return [...new Set(ids)].map((id) => firstVersions.get(id)).filter((row) => row !== undefined)
    }
    return { posts: { read } }
  },
  'inserts posts one by one': ({ posts }) => ({
    posts: {
      insert: async (rows) => {
        const ids: number[] = []
        for (const row of rows) ids.push(...(await posts.insert([row])))
        return ids
      },
    },
  }),
  'updates posts one by one': ({ posts }) => ({
    posts: {
      update: async (updates) => {
        const ids: number[] = []
        for (const update of updates) ids.push(...(await posts.update([update])))
        return ids
      },
    },
  }),
  'renames a taken slug': ({ posts }) => ({
    posts: {
      insert: async (rows) => {
        try {
          return await posts.insert(rows)
        } catch {
          return posts.insert(rows.map((row, index) => ({ ...row, slug: `${row.slug}-${index}` })))
        }
      },
    },
  }),
  'throws another error than StorageConflict': ({ posts }) => ({
    posts: {
      insert: async (rows) => {
        try {
          return await posts.insert(rows)
        } catch (error) {
          throw new Error(`failed: ${error}`)
        }
      },
    },
  }),
  'reuses the id of a removed post': ({ posts }) => {
    const free: number[] = []
    return {
      posts: {
        insert: async (rows) => (await posts.insert(rows)).map((id) => free.pop() ?? id),
        remove: (ids) => {
          free.push(...ids)
          return posts.remove(ids)
        },
      },
    }
  },
  'ignores the condition of an update': ({ posts }) => ({
    posts: { update: (updates) => posts.update(updates.map(({ id, changes }) => ({ id, changes }))) },
  }),
  'checks the condition of an update before it writes': ({ posts }) => ({
    posts: {
      update: async (updates) => {
        const matching = []
        for (const update of updates) {
          const [row] = await posts.read([update.id])
          if (update.when?.version === undefined || row?.version === update.when.version) {
            matching.push({ ...update, when: { status: update.when?.status } })
          }
        }
        return posts.update(matching)
      },
    },
  }),
  'ignores unknown fields': ({ posts }) => ({
    posts: {
      update: (updates) =>
        posts.update(
          updates.map(({ changes: { ['weight' as never]: _, ...changes }, ...update }) => ({ ...update, changes })),
        ),
    },
  }),
  'does not increment the version without changes': ({ posts }) => ({
    posts: { update: (updates) => posts.update(updates.filter((update) => Object.keys(update.changes).length > 0)) },
  }),
  'sets the modification date itself': ({ posts }) => ({
    posts: {
      update: (updates) =>
        posts.update(
          updates.map((update) => ({ ...update, changes: { ...update.changes, modified: '2040-01-01T00:00:00' } })),
        ),
    },
  }),
  'returns dates with a time zone': ({ posts }) => ({
    posts: { read: async (ids) => (await posts.read(ids)).map((row) => ({ ...row, date: `${row.date}Z` })) },
  }),
  'returns booleans as numbers': ({ posts }) => ({
    posts: {
      read: async (ids) => (await posts.read(ids)).map((row) => ({ ...row, sticky: Number(row.sticky) as never })),
    },
  }),
  'reads posts in the order of their ids': ({ posts }) => ({
    posts: { read: (ids) => posts.read(ids.toSorted((a, b) => a - b)) },
  }),
  'reads a repeated id twice': ({ posts }) => ({
    posts: { read: async (ids) => (await Promise.all(ids.map((id) => posts.read([id])))).flat() },
  }),
  'accepts posts with a NUL': ({ posts }) => ({
    posts: { insert: (rows) => posts.insert(rows.map((row) => mapRow(row, withoutNul))) },
  }),
  'trims texts': ({ posts }) => ({
    posts: { insert: (rows) => posts.insert(rows.map((row) => mapRow(row, (text) => text.trim()))) },
  }),
  'composes accents': ({ posts }) => ({
    posts: { insert: (rows) => posts.insert(rows.map((row) => mapRow(row, (text) => text.normalize()))) },
  }),
  'keeps the meta of removed posts': ({ posts, meta }) => ({
    posts: {
      remove: async (ids) => {
        const entries = await meta.read('post', ids)
        await posts.remove(ids)
        await meta.write('post', entries)
      },
    },
  }),
  'removes children with their parent': ({ posts }) => ({
    posts: {
      remove: async (ids) => {
        const query = { types: ['post', 'page'], parents: ids, offset: 0, limit: 1e6 }
        const { idsPage } = await posts.query({ ...query, order: { by: 'id', descending: false } })
        return posts.remove([...ids, ...idsPage.map((head) => head.id)])
      },
    },
  }),
  'counts children of every type': ({ posts }) => ({
    posts: {
      childCounts: async (_type, parents) => [
        ...(await posts.childCounts('revision', parents)),
        ...(await posts.childCounts('page', parents)),
      ],
    },
  }),
  'compares slugs without case': ({ posts }) => ({
    posts: {
      takenSlugs: async (type, slugs) => {
        const taken = await posts.takenSlugs(type, [...slugs, ...slugs.map((slug) => slug.toLowerCase())])
        return slugs.filter((slug) => taken.includes(slug.toLowerCase()))
      },
    },
  }),
}
