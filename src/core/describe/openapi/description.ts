/** Arguments and headers shared by all routes, and the document's introduction. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { AppContext } from '../../declare/app-context.ts'
import { maxDepth, maxPairs } from '../../request/query-string.ts'
import type { Header, Parameter } from './document.ts'
import { headers } from './operation.ts'

export const sharedParameters: { readonly [name: string]: Parameter } = lookupTable({
  Fields: {
    name: '_fields',
    in: 'query',
    description: 'The members to return, for example `author,title.rendered`. Default: all.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Embed: {
    name: '_embed',
    in: 'query',
    description:
      'Adds linked records to the response as `_embedded`. Lists link relations, or is `1` for all relations. Of `_fields`, only the links that it leaves are followed.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Envelope: {
    name: '_envelope',
    in: 'query',
    description:
      'Returns status 200 and the body `{ body, status, headers }`, with the status and headers of the response.',
    schema: { type: 'boolean' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of 1 to 255 printable characters that is new for each change. The request is carried out once: sent again within a day, it gets the first result, with Idempotency-Replayed: true.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`explain`: the response tells the steps of the request and what would make it pass, and a write is only tried. For administrators. `dry-run`: a write is only tried, by a caller who is signed in: nothing of it stays, and the response is 200 with `{ dry_run, status, headers, body, changes, events, outside, complete, pages }`, the first three after `dry_run` being those of the write. `pages` are those of the site whose bytes would change, for callers who may edit the posts of others. Reads ignore it. `merge`: a write of an older version, which If-Match names, or a revision by `merge; base=12`, is merged with what others have saved since; 409 has what both have changed. Preference-Applied confirms what was done.',
    schema: { type: 'string' },
    example: 'dry-run',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'An ETag from an earlier response. The request fails with 412 if the record has changed since, unless `Prefer: merge` is sent.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An ETag from an earlier response. The response is 304 without a body if the record has not changed since.',
    schema: { type: 'string' },
  },
})

/** Without the header of the tags where the host asks for none. */
export const sharedHeadersOf = ({ tagHeader }: AppContext): { readonly [name: string]: Header } =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([key]) => key !== 'CacheTag' || tagHeader !== undefined)
      .map(([key, { description, schema }]) => [key, { description, schema }]),
  )

/** Markdown. */
export function introduction({ names, limits, conditionalWrites }: AppContext): string {
  const size = (bytes: number) =>
    bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
  return [
    'Authenticate with HTTP Basic: the login or e-mail address of a user and an application password of that user. Wrong credentials get 401 on every route, including public ones.',
    'GET routes take their arguments from the query. All other routes take them from the query and from the body, which is JSON or a form (`application/x-www-form-urlencoded`). If an argument occurs more than once, the path wins over the body, and the body over the query. Arguments are documented in the body, for DELETE in the query. Unknown arguments are ignored.',
    'In a query, a list is `a=1,2` or `a[]=1&a[]=2`, and an object is `a[b]=1`.',
    'HEAD works on every GET route. OPTIONS describes a route; its `Allow` header lists the methods that the caller may use.',
    'A client that can send only GET and POST sends a POST with `_method=DELETE` in the query, or with the header `X-HTTP-Method-Override`.',
    `Lists are paged. \`${names.toPublic('X-CMS-Total')}\` is the number of records, \`${names.toPublic('X-CMS-TotalPages')}\` the number of pages, and \`Link\` has the URLs of the previous and the next page.`,
    `Responses with a single record, and those with a document of settings, have an \`ETag\`. A write ${conditionalWrites === 'required' ? 'must send it as `If-Match` on this site' : 'may send it as `If-Match`'}, and fails with 412 if the record has changed since. \`If-None-Match: *\` fails where it exists already. Routes that can hold no condition refuse one with 412 (\`rest_precondition_unsupported\`).`,
    'An error is `{ code, message, data: { status } }`. Programs should use `code`; `message` is for people. A method that a path does not support gets 404 with `rest_no_route`.',
    `Limits: ${size(limits.bodyBytes)} for a body; ${size(limits.queryBytes)}, ${maxPairs} values and ${maxDepth} levels of brackets for a query.`,
  ].join('\n\n')
}
