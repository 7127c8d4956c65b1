/** Features that both profiles have, with the options in which they differ. */
import type { Feature } from '../core/declare.ts'
import { batch } from '../features/batch.ts'
import { posts } from '../features/posts/index.ts'

export function shared(_options: object): readonly Feature[] {
  return [batch, posts]
}
