/** The response of all contenders of the in-process and HTTP parts, and the arguments that they check. */
import { int, oneOf, paging, required, search } from '../src/core/declare/args.ts'
import { endpointBelow } from '../src/core/declare/endpoint.ts'
import { feature } from '../src/core/declare/feature.ts'
import { anyone } from '../src/core/declare/permissions.ts'
import { profile } from '../src/core/declare/profile.ts'
import { RawJson } from '../src/core/runtime/json.ts'
import { declaredPath, endpointRoutes, pathArgs } from './routes.ts'

/** A record of typical size, serialised once: the benchmark measures the routing and checks before it. */
export const fixedText = JSON.stringify({
  id: 41,
  date: '2024-05-04T08:30:00',
  slug: 'harbour-notes',
  status: 'publish',
  type: 'post',
  link: 'https://quay.example/harbour-notes/',
  title: { rendered: 'Harbour notes' },
  excerpt: { rendered: '<p>The harbour lay quiet in the morning light.</p>', protected: false },
  author: 3,
  categories: [4, 9],
  tags: [12],
  _links: { self: [{ href: 'https://quay.example/api/cms/v2/posts/41' }] },
})

/** The headers of the response. */
export const fixedHeaders: { readonly [name: string]: string } = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin, Authorization, Cookie',
  Link: '<https://quay.example/api/>; rel="service-desc"',
}

/** The route under load is in the middle of the table: it has one parameter in the path and four in the query. */
export const measuredPath = '/builder/v1/checklist/{id}'
export const measuredTarget = (seed: number): string =>
  `/api/builder/v1/checklist/${1 + (seed % 99991)}?page=${1 + (seed % 9)}&per_page=20&order=asc&context=view`

const measuredArgs = {
  id: required(int()),
  context: oneOf(['view', 'embed', 'edit'], { default: 'view' }),
  ...paging(),
  search: search(),
  order: oneOf(['asc', 'desc'], { default: 'desc' }),
}

/** Every route of the table; the measured one checks its arguments and returns the fixed text. */
export const tableProfile = profile({
  name: 'table',
  gmtOffset: 'text',
  features: [
    feature(
      'table',
      '',
      endpointRoutes
        .filter(({ path }) => path !== '/')
        .map(({ methods, path }) =>
          endpointBelow({
            path: declaredPath(path),
            methods,
            args: path === measuredPath ? measuredArgs : pathArgs(path),
            permission: anyone,
            handler: () => new RawJson(fixedText),
          }),
        ),
    ),
  ],
})
