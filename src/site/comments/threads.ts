/** Orders comments as threads: each with the replies to it. */

export type Threaded<T> = T & { readonly replies: readonly Threaded<T>[] }

interface Listed {
  readonly id: number
  readonly parent: number
}

/** Threads have this many levels on pages. */
const maxThreadDepth = 5

interface Position<T> {
  readonly replies: Threaded<T>[]
  readonly depth: number
  readonly above: Position<T> | undefined
}

/** A reply to a comment that is not listed begins a thread. Replies below the last level follow each other. */
export function threadsOf<T extends Listed>(oldestFirst: readonly T[]): readonly Threaded<T>[] {
  const roots: Threaded<T>[] = []
  const positions = new Map<number, Position<T>>()
  // A reply is newer than its parent, so the parent already has a position.
  for (const comment of oldestFirst) {
    const found = positions.get(comment.parent)
    const above = found && found.depth >= maxThreadDepth ? found.above : found
    const replies: Threaded<T>[] = []
    const siblings = above ? above.replies : roots
    siblings.push({ ...comment, replies })
    positions.set(comment.id, { replies, depth: (above?.depth ?? 0) + 1, above })
  }
  return roots
}
