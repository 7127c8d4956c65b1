/** The tool `media` lists the files of a site, describes them for people who do not see them, and removes them. */
import { toMarkdown } from '../markdown/from-html.ts'
import type { AgentSite } from '../site/agent-site.ts'
import { difference } from '../site/difference.ts'
import type { SiteRoutes } from '../site/site-routes.ts'
import { TaskError, type Values } from '../site/task-error.ts'
import { dryRunArgument, type Task } from './task.ts'

const routesOf = (routes: SiteRoutes) => ({
  list: routes.ending('get', '/v2/media'),
  get: routes.ending('get', '/v2/media/{id}'),
  update: routes.ending('post', '/v2/media/{id}'),
  remove: routes.ending('delete', '/v2/media/{id}'),
})

const described = ['title', 'alt_text', 'caption', 'description'] as const

export const media: Task = {
  name: 'media',
  title: 'Pictures and files',
  description:
    'Lists pictures and files, by words or those without alternative text. With id: one file; with alt_text, title, caption or ' +
    'description it gets these words. remove deletes it for good: ask where_used first. Texts show a picture as ![alt](media:ID).',
  arguments(routes) {
    const { update, remove } = routesOf(routes)
    return {
      text: { type: 'string', description: 'Words of its name or description.', maxLength: 200 },
      without_alt: { type: 'boolean', description: 'True: only pictures without an alternative text.', default: false },
      limit: { type: 'integer', description: 'The most that are listed.', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', description: 'How many to skip.', default: 0, minimum: 0, maximum: 100_000 },
      id: { type: 'integer', description: 'The id of one file.', minimum: 1 },
      ...(update
        ? {
            alt_text: {
              type: 'string',
              description: 'What a picture shows, for who does not see it.',
              maxLength: 1000,
            } as const,
            title: { type: 'string', description: 'The title.', maxLength: 500 } as const,
            caption: { type: 'string', description: 'The caption.', maxLength: 2000 } as const,
            description: { type: 'string', description: 'The description.', maxLength: 5000 } as const,
          }
        : {}),
      ...(remove
        ? { remove: { type: 'boolean', description: 'True: the file is deleted for good.', default: false } as const }
        : {}),
      ...(update || remove ? { dry_run: dryRunArgument } : {}),
    }
  },
  writes: false,
  isOffered: (routes) => routesOf(routes).list !== undefined && routesOf(routes).get !== undefined,
  async run(site, args) {
    if (args['id'] === undefined) {
      const given = [...described, 'remove'].filter((name) => args[name] !== undefined && args[name] !== false)
      if (given.length > 0)
        throw new TaskError('mcp_invalid_argument', `${given.join(', ')} needs id: the file to change.`)
      return listed(site, args)
    }
    const changes = Object.fromEntries(
      described.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
    )
    if (args['remove'] === true) return removed(site, args)
    return Object.keys(changes).length > 0 ? changed(site, args, changes) : view(await medium(site, args['id'], 'view'))
  },
}

const members = 'id,title,alt_text,caption,description,source_url,mime_type,media_details,post'

async function medium(site: AgentSite, id: unknown, context: 'view' | 'edit'): Promise<Values> {
  const { data } = await site.call(routesOf(site.routes).get, { id, context, _fields: members })
  // The cast: a record.
  return data as Values
}

function view({
  id,
  title,
  alt_text: alt,
  caption,
  source_url: address,
  mime_type: type,
  media_details: details,
}: Values) {
  const { width, height, filesize } = (details ?? {}) as Values
  const words = toMarkdown(textIn(caption))
  return {
    ...{
      id,
      title: toMarkdown(textIn(title)),
      alt_text: alt,
      ...(words === '' ? {} : { caption: words }),
      address,
      type,
    },
    ...(width === undefined ? {} : { width, height }),
    ...(filesize === undefined ? {} : { bytes: filesize }),
  }
}

const textIn = (value: unknown): string => {
  const { raw, rendered } = (typeof value === 'object' && value !== null ? value : { raw: value }) as Values
  return String(raw ?? rendered ?? '')
}

/** Files that a search for missing texts reads. */
const maxRead = 2000

async function listed(site: AgentSite, { text, without_alt: isWithoutAlt, limit, offset }: Values): Promise<object> {
  const { list } = routesOf(site.routes)
  const search = { ...(text === undefined || text === '' ? {} : { search: text }), _fields: members }
  if (isWithoutAlt !== true) {
    const { data, headers } = await site.call(list, { ...search, per_page: limit, offset })
    return { total: Number(headers.get(list?.totals?.total ?? '')), files: (data as readonly Values[]).map(view) }
  }
  const found: Values[] = []
  for (let read = 0; read < maxRead; read += 100) {
    const { data } = await site.call(list, { ...search, media_type: ['image'], per_page: 100, offset: read })
    const rows = data as readonly Values[]
    found.push(...rows.filter(({ alt_text: alt }) => String(alt ?? '').trim() === ''))
    if (rows.length < 100) break
  }
  const start = Number(offset)
  return { total: found.length, files: found.slice(start, start + Number(limit)).map(view) }
}

async function changed(site: AgentSite, { id, dry_run: isDryRun }: Values, changes: Values): Promise<object> {
  const record = await medium(site, id, 'edit')
  const lines = (from: Values) =>
    Object.keys(changes)
      .map((name) => `${name}: ${textIn(from[name])}`)
      .join('\n')
  const answer = { id, difference: difference(lines(record), lines(changes)) }
  if (isDryRun === true) return { dry_run: true, ...answer }
  await site.call(routesOf(site.routes).update, { id, ...changes, _fields: 'id' })
  return { written: true, ...answer }
}

async function removed(site: AgentSite, { id, dry_run: isDryRun }: Values): Promise<object> {
  const record = await medium(site, id, 'edit')
  const answer = { id, difference: `- ${textIn(record['title'])}: ${record['source_url']}` }
  if (isDryRun === true) return { dry_run: true, ...answer }
  await site.call(routesOf(site.routes).remove, { id, force: true })
  return { removed: true, ...answer }
}
