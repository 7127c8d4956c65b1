/** The counts of terms: how many published posts have each. Kept in the rows, so that a rollback restores them. */
import type { State } from './state.ts'

export const isCounted = ({ status }: { readonly status: string }): boolean => status === 'publish'

export function addToCounts({ terms }: State, ids: readonly number[], difference: number, depth: number): void {
  for (const id of ids) {
    const term = terms.get(id, depth)
    if (term !== undefined) terms.put(id, Object.freeze({ ...term, count: term.count + difference }))
  }
}

/** For a post that gets another status, or is removed. */
export function countStatusChange(
  state: State,
  post: { readonly id: number; readonly status: string },
  status: string,
  depth: number,
): void {
  const difference = Number(isCounted({ status })) - Number(isCounted(post))
  if (difference !== 0) addToCounts(state, state.assignments.get(post.id, depth)?.terms ?? [], difference, depth)
}
