/** Lists published posts for blocks and classic widgets. */

import type { Post, PostQuery } from '../../../contract/storage.ts'
import { limits } from '../document/limits.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { postListKey, postLists } from '../records/kinds.ts'
import { isLocked, titleOf } from '../template-context/current-post.ts'

export interface FoundPosts {
  readonly posts: readonly Post[]
  readonly total: number
}

/** Returns published posts, whoever the reader is. Posts over the budget of work are left out. */
export function publishedPosts(query: Omit<PostQuery, 'statuses' | 'total'>, pass: Pass): FoundPosts {
  for (const type of query.types) pass.depend(`query:${type}`)
  const key = postListKey({ ...query, statuses: [{ status: 'publish' }], total: true })
  const { ids = [], total = 0 } = pass.get(postLists, key) ?? {}
  const admitted = ids.filter(() => pass.admit(limits.listedWork))
  return { posts: admitted.flatMap((id) => pass.post(id) ?? []), total }
}

/** Returns the title as HTML; of a post without one, its replacement. */
export function shownTitle(post: Post, pass: Pass, untitled = '(no title)'): Child {
  const title = titleOf(post, pass)
  const shown = title.trim() === '' ? untitled : trusted(title)
  return post.password === '' || !isLocked(post, pass) ? shown : ['Protected: ', shown]
}
