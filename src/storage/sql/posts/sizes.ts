/** How many rows the sources of a list have, from counters, or counted along an index up to a bound. */
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import { type Fragment, joined, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import type { Source } from './sources.ts'

export class Sizes {
  readonly #numbers: ReadonlyMap<string, number>

  constructor(numbers: ReadonlyMap<string, number>) {
    this.#numbers = numbers
  }

  /** The number that a part reads; 0 for one that was not asked for. */
  number(size: Fragment): number {
    return this.#numbers.get(keyOf(size)) ?? 0
  }

  /** Infinite above the bound of the source. */
  of({ size, bound = Number.POSITIVE_INFINITY }: Source): number {
    const number = typeof size === 'number' ? size : this.number(size)
    return number > bound ? Number.POSITIVE_INFINITY : number
  }

  smallest(sources: readonly Source[]): Source | undefined {
    return sources.length === 0
      ? undefined
      : sources.reduce((best, each) => (this.of(each) < this.of(best) ? each : best))
  }
}

const keyOf = ({ text, values }: Fragment) => `${text} ${JSON.stringify(values)}`

/** The SQLite of workerd refuses a statement with more than 100 columns. */
const mostColumns = 64

/** Reads the sizes in one statement, or in several where a list has very many sources. */
export function readSizes(session: Session, parts: readonly Fragment[]): MaybePromise<Sizes> {
  const asked = [...new Map(parts.map((each) => [keyOf(each), each]))]
  const groups = Array.from({ length: Math.ceil(asked.length / mostColumns) }, (_, at) =>
    asked.slice(at * mostColumns, (at + 1) * mostColumns),
  )
  const rows = all(
    groups.map((group) => {
      const columns = group.map(([, each]) => each)
      const isOfTexts = columns.some(({ text }) => text.includes('posts_search'))
      return session.all(sql`select ${joined(columns, ', ')}`, isOfTexts ? 'search' : undefined)
    }),
  )
  return andThen(rows, (found) => {
    const numbers = found.flatMap(([row = []]) => row)
    return new Sizes(new Map(asked.map(([key], at) => [key, Number(numbers[at] ?? 0)])))
  })
}
