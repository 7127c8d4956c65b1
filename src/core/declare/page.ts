/** The result of a list endpoint: rows, with totals and links in the headers. */
import type { Context } from './context.ts'
import { headerUrl, type ResponseHeaders, type Result, result } from './result.ts'

interface Page<T> {
  readonly rows: readonly T[]
  readonly total: number
  readonly page: number
  readonly perPage: number
}

/**
 * Adds the totals, and `Link` with rel prev and next for the same query.
 *
 * ```ts
 * import { anyone, args, endpoint, pageOf } from 'site-api'
 *
 * export const colours = endpoint({
 *   path: '/colours',
 *   methods: ['GET'],
 *   args: args.paging(),
 *   paged: true,
 *   permission: anyone,
 *   handler: (context) => {
 *     const { page, per_page: perPage } = context.args
 *     const all = ['red', 'green', 'blue']
 *     const rows = all.slice((page - 1) * perPage, page * perPage)
 *     return pageOf(context, { rows, total: all.length, page, perPage })
 *   },
 * })
 * ```
 */
export function pageOf<T>(
  context: Pick<Context, 'app' | 'settings' | 'incoming'>,
  listed: Page<T>,
): Result<readonly T[]> {
  return result(listed.rows, { headers: pageHeaders(context, listed) })
}

/** Interface: in lists of terms and users, an offset leads to the page that it is on; other lists count from the page that was sent. */
export const pageAtOffset = (args: {
  readonly offset?: number | undefined
  readonly page: number
  readonly per_page: number
}) => (args.offset === undefined ? args.page : Math.ceil(Math.abs(args.offset) / args.per_page) + 1)

function pageHeaders(
  { app, settings, incoming }: Pick<Context, 'app' | 'settings' | 'incoming'>,
  { total, page, perPage }: Omit<Page<unknown>, 'rows'>,
): ResponseHeaders {
  const pages = Math.ceil(total / perPage)
  const headers: ResponseHeaders = {
    [app.names.toPublic('X-CMS-Total')]: String(total),
    [app.names.toPublic('X-CMS-TotalPages')]: String(pages),
  }
  if (pages < 2 && page < 2) return headers
  const address = `${settings.apiRoot}${withoutEnd(incoming.path)}`
  const query = incoming.query.split('&').filter((pair) => pair !== '' && !/^page(?:=|$)/.test(pair))
  const linkTo = (target: number, rel: string) =>
    `<${headerUrl(`${address}?${[...query, `page=${target}`].join('&')}`)}>; rel="${rel}"`
  const links: string[] = []
  // Interface: on a page beyond the end, prev is the last page; 0 where there is none.
  if (page > 1) links.push(linkTo(Math.min(page - 1, pages), 'prev'))
  if (page < pages) links.push(linkTo(page + 1, 'next'))
  const text = links.join(', ')
  // Servers and proxies refuse longer heads. Clients count pages by the totals as well.
  if (links.length > 0 && text.length <= maxLinkCharacters) headers['Link'] = text
  return headers
}

/** All headers of an answer together stay below 8 kB. */
const maxLinkCharacters = 6000

const withoutEnd = (path: string) => path.replace(/\/+$/, '')
