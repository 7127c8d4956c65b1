/** The stored posts that wait for rows of the import, by what they wait for. */
import type { Reference } from '../../transfer/references.ts'
import type { OpenPost } from '../../transfer/write/open-posts.ts'
import type { ReportBuilder } from '../report.ts'

export class WaitingPosts {
  readonly #posts = new Map<number, OpenPost>()
  readonly #byReference = new Map<Reference, Set<number>>()

  get all(): readonly OpenPost[] {
    return [...this.#posts.values()]
  }

  /** Replaces what the post waited for. */
  set(post: OpenPost): void {
    this.delete(post.id)
    this.#posts.set(post.id, post)
    for (const reference of referencesOf(post)) {
      this.#byReference.set(reference, (this.#byReference.get(reference) ?? new Set()).add(post.id))
    }
  }

  delete(id: number): void {
    const post = this.#posts.get(id)
    if (!post) return
    this.#posts.delete(id)
    for (const reference of referencesOf(post)) {
      const waiting = this.#byReference.get(reference)
      waiting?.delete(id)
      if (waiting?.size === 0) this.#byReference.delete(reference)
    }
  }

  for(references: readonly Reference[]): OpenPost[] {
    const ids = new Set(references.flatMap((reference) => [...(this.#byReference.get(reference) ?? [])]))
    return [...ids].flatMap((id) => this.#posts.get(id) ?? [])
  }

  /** `leftOut`: the numbers of items that the source has and the site does not. */
  reportMissing(report: ReportBuilder, leftOut: ReadonlySet<number>): void {
    for (const [reference, ids] of this.#byReference) {
      for (const { parent, featuredMedia, line } of [...ids].flatMap((id) => this.#posts.get(id) ?? [])) {
        const other = featuredMedia === reference ? 'featured picture' : 'menu target'
        const number = reference.slice(reference.indexOf('.') + 1)
        const isLeftOut = reference.startsWith('post.') && leftOut.has(Number(number))
        const example = { line, what: number }
        report.add(isLeftOut ? 'left-out-post' : 'missing-post', parent === reference ? 'parent' : other, example)
      }
    }
  }
}

const referencesOf = ({ parent, featuredMedia, meta = {} }: OpenPost): readonly Reference[] => [
  ...new Set([parent, featuredMedia, ...Object.values(meta)].filter((reference) => typeof reference === 'string')),
]
