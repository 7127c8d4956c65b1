/** The requests that servers are loaded with. */
import { measuredTarget } from './fixed-response.ts'
import type { LoadRequest } from './load.ts'
import { postCount } from './post-site.ts'

export type ServerGroup = 'fixed' | 'posts'

export interface Workload {
  readonly name: string
  readonly servers: ServerGroup
  readonly contenders: readonly string[]
  readonly requests: readonly LoadRequest[]
  /** Connections of the load. Default: 24. */
  readonly connections?: number
  /** How many requests are measured, after three times as many to warm up. Default: as many as are answered in some seconds. */
  readonly amount?: number
}

const gets = (paths: readonly string[], sender?: 'editor'): LoadRequest[] =>
  paths.map((path) => ({ method: 'GET', path: `/api${path}`, ...(sender && { sender }) }))

const post = (path: string, body: object): LoadRequest => ({
  method: 'POST',
  path: `/api${path}`,
  sender: 'editor',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const ids = numbers(postCount).map((at) => 1 + ((at * 7919) % postCount))
const pages = numbers(postCount / 20).map((at) => 1 + at)

/** No two are sent with the same title: `{n}` counts the requests of a load. */
const newPost = {
  title: 'Note {n}',
  content: '<!-- cms:paragraph -->\n<p>The boats came in late.</p>\n<!-- /cms:paragraph -->',
  status: 'publish',
}

const update = (id: number) => post(`/cms/v2/posts/${id}`, { title: 'Another note {n}' })

/** The sites' newest post is on the first page of the list, its oldest is not. */
const readsAndWrite = (ofList: boolean) => [
  ...numbers(20).flatMap(() => gets(['/cms/v2/posts?per_page=20'])),
  update(ofList ? newestPost : oldestPost),
]

/** By the dates that the site has. */
const newestPost = 840
const oldestPost = 1

/** A write alone, so that none shares its commit with others, as in the bare inserts. */
const alone = (amount: number) => ({ connections: 1, amount })

export const commit = 'a1564533'
const all = ['site-api', 'bare node:http', 'fastify', 'hono', 'express']
const compared = ['site-api', 'bare node:http', commit]
const withFastify = [...compared, 'fastify']

/** The lines of the table of requests use these, and other targets too. */
export const workloads: readonly Workload[] = [
  {
    name: 'fixed answer',
    servers: 'fixed',
    contenders: all,
    requests: gets(numbers(500).map((at) => measuredTarget(at * 7919).slice('/api'.length))),
  },
  ...[
    { name: 'post by id', contenders: withFastify, requests: gets(ids.map((id) => `/cms/v2/posts/${id}`)) },
    {
      name: 'post by id, editor',
      requests: gets(
        ids.map((id) => `/cms/v2/posts/${id}`),
        'editor',
      ),
    },
    {
      name: 'post by id to edit',
      requests: gets(
        ids.map((id) => `/cms/v2/posts/${id}?context=edit`),
        'editor',
      ),
    },
    { name: 'list of 20 full posts', contenders: withFastify, requests: gets(['/cms/v2/posts?per_page=20']) },
    {
      name: 'list of 20, another page each',
      // A name without effect: the response is not cached, as that of an address which was never requested.
      requests: gets(pages.map((page) => `/cms/v2/posts?per_page=20&page=${page}&visit={n}`)),
    },
    {
      name: 'list of 20 to edit',
      requests: gets(
        pages.map((page) => `/cms/v2/posts?per_page=20&page=${page}&context=edit`),
        'editor',
      ),
    },
    { name: 'list of 20, one write of another post in 20 reads', requests: readsAndWrite(false) },
    { name: 'list of 20, one write of a post in it in 20 reads', requests: readsAndWrite(true) },
    { name: 'search, another word each', requests: gets(['/cms/v2/posts?search={word}']) },
    { name: 'list of 10 posts', contenders: ['site-api', commit], requests: gets(['/cms/v2/posts']) },
    { name: 'create, 24 at once', contenders: ['site-api', commit], requests: [post('/cms/v2/posts', newPost)] },
    { name: 'create', requests: [post('/cms/v2/posts', newPost)], ...alone(600) },
    { name: 'update', requests: ids.map(update), ...alone(600) },
    {
      name: 'batch of 25 creates',
      requests: [
        post('/batch/v1', {
          requests: numbers(25).map((at) => ({
            method: 'POST',
            path: '/cms/v2/posts',
            body: { ...newPost, title: `Note {n}.${at}` },
          })),
        }),
      ],
      ...alone(100),
    },
  ].map((workload): Workload => ({ servers: 'posts', contenders: compared, ...workload })),
]
