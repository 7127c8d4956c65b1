/** The tool `find` lists the pages, posts and other texts of a site, by words, kind and status. */
import { toMarkdown } from '../markdown/from-html.ts'
import type { AgentSite } from '../site/agent-site.ts'
import type { PageKind } from '../site/site-routes.ts'
import { TaskError, type Values } from '../site/task-error.ts'
import type { Task } from './task.ts'

interface ListedPage {
  readonly id: number
  readonly title: { readonly rendered: string }
  readonly status?: string
  readonly link: string
  readonly modified_gmt: string
}

export const find: Task = {
  name: 'find',
  title: 'Find pages',
  description:
    'Lists pages, posts and other texts with id, title, status and address, last changed first. With text: those that contain it. ' +
    'Drafts are listed for users who may edit them.',
  arguments: ({ kinds }) => ({
    text: { type: 'string', description: 'Words that title or text contain. Default: all are listed.', maxLength: 200 },
    type: { type: 'string', description: 'One kind. Default: all kinds.', enum: kinds.map(({ name }) => name) },
    status: {
      type: 'string',
      description: 'One status. Default: any that you may see.',
      enum: ['publish', 'draft', 'pending', 'private', 'future', 'trash'],
    },
    limit: { type: 'integer', description: 'The most of each kind.', default: 20, minimum: 1, maximum: 100 },
    offset: {
      type: 'integer',
      description: 'How many of each kind to skip.',
      default: 0,
      minimum: 0,
      maximum: 100_000,
    },
  }),
  writes: false,
  isOffered: ({ kinds }) => kinds.length > 0,
  async run(site, args) {
    const kinds = site.routes.kinds.filter(({ name }) => args['type'] === undefined || name === args['type'])
    const answers = await Promise.all(kinds.map((kind) => pagesOf(site, kind, args).catch(refusalOf)))
    const found = answers.flatMap((one) => (one instanceof TaskError ? [] : [one]))
    const [refusal] = answers.flatMap((one) => (one instanceof TaskError ? [one] : []))
    if (refusal && found.length === 0) throw refusal
    return {
      pages: found.flatMap(({ pages }) => pages),
      total: found.reduce((sum, one) => sum + one.total, 0),
      ...(refusal ? { left_out: refusal.message } : {}),
    }
  },
}

function refusalOf(error: unknown): TaskError {
  if (error instanceof TaskError) return error
  throw error
}

async function pagesOf(site: AgentSite, kind: PageKind, { text, status, limit, offset }: Values) {
  const { data, headers } = await site.list(kind, {
    ...(text === undefined || text === '' ? {} : { search: text }),
    ...(status === undefined ? {} : { status }),
    ...{ per_page: limit, offset, orderby: 'modified', order: 'desc' },
    _fields: 'id,title,status,link,modified_gmt',
  })
  // The cast: the members that were asked for.
  const rows = data as readonly ListedPage[]
  return {
    total: Number(headers.get(kind.list.totals?.total ?? '') ?? rows.length),
    pages: rows.map((row) => ({
      id: row.id,
      type: kind.name,
      title: toMarkdown(row.title.rendered),
      ...(row.status === undefined ? {} : { status: row.status }),
      link: row.link,
      modified: row.modified_gmt,
    })),
  }
}
