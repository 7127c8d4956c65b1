/** Records the writes of posts and users, with the meta and the terms that a removal takes along. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { Post, PostStore, User, UserStore } from '../../contract/storage.ts'
import { metaOf, noteRemovedMeta, rememberNoMeta } from './recorded-meta.ts'
import { assignmentsOf, noteAssignments, rememberNoTerms, withoutTerms } from './recorded-terms.ts'
import type { Recorder } from './recorder.ts'
import { given, insertRows, noteRemoved, remember, rowKind, rowsBefore, updateRows } from './row-writes.ts'

export function recordedPosts(recorder: Recorder): Partial<PostStore> {
  const { posts } = recorder.storage
  const kind = rowKind<Post>(recorder, 'posts', {
    read: (ids) => posts.read(ids),
    updated: ({ version }) => ({ version: version + 1 }),
  })
  return {
    read: (ids) =>
      andThen(posts.read(ids), (rows) => {
        remember(recorder, kind, rows)
        return rows
      }),
    insert: (rows, ids) =>
      insertRows(
        recorder,
        kind,
        () => posts.insert(rows, ...given(ids)),
        (at) => ({ ...rows[at], version: 1 }),
        (id) => {
          // An id that is given may have had meta.
          if (ids) return
          rememberNoMeta(recorder, 'post', id)
          rememberNoTerms(recorder, id)
        },
      ),
    update: (updates) => updateRows(recorder, kind, updates, (storage, some) => storage.posts.update(some)),
    remove: (ids) =>
      recorder.write(
        async () => ({
          rows: await rowsBefore(recorder, kind, ids),
          meta: await metaOf(recorder, 'post', ids),
          terms: await assignmentsOf(recorder, ids),
        }),
        () => posts.remove(ids),
        ({ rows, meta, terms }) => {
          noteRemovedMeta(recorder, 'post', meta)
          noteAssignments(recorder, terms, withoutTerms(terms))
          noteRemoved(recorder, kind, rows)
        },
      ),
  }
}

export function recordedUsers(recorder: Recorder): Partial<UserStore> {
  const { users } = recorder.storage
  const kind = rowKind<User>(recorder, 'users', {
    read: async (ids) => {
      const query = { ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length } as const
      return (await users.query(query)).rows
    },
  })
  return {
    query: (query) =>
      andThen(users.query(query), (found) => {
        remember(recorder, kind, found.rows)
        return found
      }),
    insert: (rows, ids) =>
      insertRows(
        recorder,
        kind,
        () => users.insert(rows, ...given(ids)),
        (at) => ({ ...rows[at] }),
        (id) => ids ?? rememberNoMeta(recorder, 'user', id),
      ),
    update: (updates) => updateRows(recorder, kind, updates, (storage, some) => storage.users.update(some)),
    remove: (ids) =>
      recorder.write(
        async () => ({ rows: await rowsBefore(recorder, kind, ids), meta: await metaOf(recorder, 'user', ids) }),
        () => users.remove(ids),
        ({ rows, meta }) => {
          noteRemovedMeta(recorder, 'user', meta)
          noteRemoved(recorder, kind, rows)
        },
      ),
  }
}
