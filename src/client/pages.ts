/** Reads listings page by page; the response of each page says whether another follows. */
import type { Failure, Success } from './result.ts'

export type Values = { readonly [name: string]: unknown }

/** Yields the pages from `args.page` on. Throws on an error. */
export async function* pagesOf(
  read: (args: Values) => Promise<Success | Failure>,
  args: Values,
): AsyncGenerator<Success, void, undefined> {
  for (let page = Number(args['page'] ?? 1); ; page++) {
    const result = await read({ ...args, page })
    if (!result.ok) throw result.error
    yield result
    if (!hasNext(result, page)) return
  }
}

/** Yields each row once by id, because a new row can push another one to the next page. */
export async function* rowsOf(
  pages: AsyncGenerator<Success, void, undefined>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<unknown>()
  for await (const { data } of pages) {
    for (const row of rowsIn(data)) {
      const id = (row as { readonly id?: unknown } | null)?.id
      if (id !== undefined && seen.size === seen.add(id).size) continue
      yield row
    }
  }
}

/** Returns the rows of a response: the list itself, or its member `data`. */
const rowsIn = (data: unknown): readonly unknown[] => {
  const rows = Array.isArray(data) ? data : (data as { readonly data?: unknown } | undefined)?.data
  return Array.isArray(rows) ? rows : []
}

interface PaginatedData {
  readonly meta?: { readonly pagination?: { readonly last_page?: unknown } }
}

function hasNext({ data, headers, totalPages }: Success, page: number): boolean {
  if (totalPages !== undefined) return page < totalPages
  const link = headers.get('link')
  if (link !== null && /;\s*rel="?next"?/i.test(link)) return true
  const last = (data as PaginatedData | undefined)?.meta?.pagination?.last_page
  return typeof last === 'number' && page < last
}
