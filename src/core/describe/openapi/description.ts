/** Arguments and headers shared by all routes, and the document's introduction. */

import type { AppContext } from '../../declare/app-context.ts'
import { maxDepth, maxPairs } from '../../request/query-string.ts'
import type { Header, Parameter } from './document.ts'
import { headers } from './operation.ts'

export const sharedParameters: { readonly [name: string]: Parameter } = {
  Fields: {
    name: '_fields',
    in: 'query',
    description: 'Only these members of the answer, `author,title.rendered`.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Embed: {
    name: '_embed',
    in: 'query',
    description:
      'Adds the records behind the links as `_embedded`: those of the relations that are named, or all (`1`).',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Envelope: {
    name: '_envelope',
    in: 'query',
    description: 'Puts status and headers into the body, `{ body, status, headers }`. The answer itself is 200.',
    schema: { type: 'boolean' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag that was read: the write is refused when the record has changed since.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag that was read: the answer is 304 when the record has not changed since.',
    schema: { type: 'string' },
  },
}

export const sharedHeaders: { readonly [name: string]: Header } = Object.fromEntries(
  Object.entries(headers).map(([key, { description, schema }]) => [key, { description, schema }]),
)

/** Markdown. */
export function introduction({ names, limits, conditionalWrites }: AppContext): string {
  const size = (bytes: number) =>
    bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
  return [
    'Sign in with the login or e-mail address and an application password of a user over HTTP Basic. Wrong credentials are refused with 401 everywhere, on public routes too.',
    'A route that reads takes its arguments from the query. All others take them from the query and the body, which is JSON or a form (`application/x-www-form-urlencoded`); the body wins, and the path wins over both. They are described where they usually stand: in the body, and in the query of DELETE. Arguments that a route does not know are ignored.',
    'In a query a list is `a=1,2` or `a[]=1&a[]=2`, an object is `a[b]=1`.',
    'HEAD is answered wherever GET is, without a body. OPTIONS describes a route, and its `Allow` says what the caller may do there.',
    'A POST may stand for another method: `_method=DELETE` in the query, or the header `X-HTTP-Method-Override`.',
    `Lists come in pages; \`${names.toPublic('X-CMS-Total')}\` and \`${names.toPublic('X-CMS-TotalPages')}\` say how many there are, \`Link\` leads to the ones around.`,
    `Single records have an \`ETag\`. A write may send it as \`If-Match\`${conditionalWrites === 'required' ? ', and has to on this site' : ''}.`,
    'Errors have one form: `{ code, message, data: { status } }`. A path with a method that it does not serve is 404 `rest_no_route`.',
    `Limits: a body has at most ${size(limits.bodyBytes)}, a query ${size(limits.queryBytes)} with ${maxPairs} values and brackets ${maxDepth} deep.`,
  ].join('\n\n')
}
