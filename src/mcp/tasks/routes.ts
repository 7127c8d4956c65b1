/** The tools `call_route` and `describe_route` reach every route that the host allows. */

import type { Success } from '../../client/index.ts'
import type { AgentSite } from '../site/agent-site.ts'
import type { SiteRoutes } from '../site/site-routes.ts'
import { TaskError, textOf, type Values } from '../site/task-error.ts'
import type { ApiTool } from '../tools.ts'
import { type ArgumentSchema, dryRunArgument, type Task } from './task.ts'

const routeArgument: ArgumentSchema = {
  type: 'string',
  description: 'The name of a route, such as posts_list, or its method and path: GET /cms/v2/posts/12.',
  maxLength: 500,
}

export const describeRoute: Task = {
  name: 'describe_route',
  title: 'Describe a route',
  description:
    'With route: its arguments as JSON Schema and the members of its answer. Without: the names of the routes that you may call.',
  arguments: () => ({
    route: routeArgument,
    text: { type: 'string', description: 'Only routes with these words in name, path or summary.', maxLength: 200 },
  }),
  writes: false,
  isOffered: ({ tools }) => tools.size > 0,
  async run({ routes }, { route, text }) {
    if (route === undefined) return { routes: routesWith(routes, textOf(text)) }
    const { tool } = routeOf(routes, textOf(route))
    const { name, description, method, path, inputSchema, members } = tool
    return { name, route: `${method.toUpperCase()} ${path}`, description, arguments: inputSchema, answer: members }
  },
}

/** One line for each route; those of a long list have no summary. */
function routesWith({ tools }: SiteRoutes, text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = [...tools.values()].filter(({ name, path, summary }) =>
    words.every((word) => `${name} ${path} ${summary}`.toLowerCase().includes(word)),
  )
  return found.map(({ name, summary }) => (found.length > maxSummaries ? name : `${name}: ${summary}`))
}

const maxSummaries = 60

export const callRoute: Task = {
  name: 'call_route',
  title: 'Call a route',
  description:
    'Calls a route of the site for what no other tool does: comments, menus, terms, users, settings. describe_route has names and ' +
    'arguments. Lists have page, per_page and _fields.',
  arguments: ({ tools }) => ({
    route: routeArgument,
    arguments: { type: 'object', description: 'Arguments of path, query and body in one object.' },
    explain: {
      type: 'boolean',
      description:
        'True: nothing is written, the answer tells why the call is refused or passes, and what would make it pass.',
      default: false,
    },
    ...([...tools.values()].some(({ path }) => path.endsWith('/releases'))
      ? {
          release: {
            type: 'integer',
            description: 'The id of a release: it keeps what is written, and reads show the site with it.',
            minimum: 1,
          } as const,
        }
      : {}),
    ...([...tools.values()].every(({ reads }) => reads)
      ? {}
      : {
          dry_run: {
            ...dryRunArgument,
            description:
              'For writes. True: nothing is written, the answer shows each record and page that would change.',
          },
        }),
  }),
  required: ['route'],
  writes: false,
  showsAnswer: true,
  isOffered: ({ tools }) => tools.size > 0,
  async run(whole, { route, arguments: given = {}, explain, dry_run: isDryRun, release }) {
    const site = release === undefined ? whole : whole.inRelease(Number(release))
    const { tool, args: inPath } = routeOf(site.routes, textOf(route))
    // The cast: the schema of the argument says object.
    const args = { ...(given as Values), ...inPath }
    if (explain === true) return site.explain(tool, args)
    checkNames(tool, args)
    if (isDryRun === true && !tool.reads) return dryRunOf(site, tool, args)
    return answerOf(tool, await site.call(tool, args))
  },
}

const answerOf = ({ totals }: ApiTool, { status, data, headers }: Awaited<ReturnType<AgentSite['call']>>) => ({
  status,
  ...(totals ? { total: Number(headers.get(totals.total)), total_pages: Number(headers.get(totals.totalPages)) } : {}),
  answer: data ?? null,
})

function routeOf(routes: SiteRoutes, text: string): { readonly tool: ApiTool; readonly args: Values } {
  const byName = routes.tools.get(text.replaceAll('.', '_'))
  if (byName) return { tool: byName, args: {} }
  const [, method = '', path = ''] = /^\s*([a-z]+)\s+(\/[^?\s]*)\s*$/i.exec(text) ?? []
  const candidates = [...routes.tools.values()].filter((tool) => speaks(tool, method.toLowerCase()))
  const exact = candidates.find((tool) => tool.path === path)
  if (exact) return { tool: exact, args: {} }
  for (const tool of candidates) {
    const args = argsInPath(tool.path, path)
    if (args) return { tool, args }
  }
  const near = nearest(routes, text)
  const hint = near.length === 0 ? 'describe_route lists them.' : `Near it: ${near.join(', ')}.`
  throw new TaskError('mcp_no_route', `There is no route ${text} that the host allows agents. ${hint}`, 404)
}

/** PUT and PATCH are often the same as POST, whose tool stands for them. */
const speaks = (tool: ApiTool, method: string) =>
  tool.method === method || (tool.method === 'post' && (method === 'put' || method === 'patch'))

function argsInPath(template: string, path: string): Values | undefined {
  const [names, parts] = [template.split('/'), path.split('/')]
  if (names.length !== parts.length) return undefined
  const args: { [name: string]: string } = {}
  for (const [at, name] of names.entries()) {
    const [, parameter] = /^\{(\w+)\}$/.exec(name) ?? []
    const part = parts[at] ?? ''
    if (parameter === undefined ? name !== part : part === '') return undefined
    if (parameter !== undefined) args[parameter] = part
  }
  return args
}

function nearest({ tools }: SiteRoutes, text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3)
  return [...tools.values()]
    .map(({ name, path }) => ({
      name,
      score:
        words.filter((word) => `${name} ${path}`.includes(word)).length + (name.startsWith(words[0] ?? ' ') ? 1 : 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ name }) => name)
}

function checkNames({ name, inputSchema }: ApiTool, args: Values): void {
  const known = Object.keys(inputSchema.properties ?? {})
  const unknown = Object.keys(args).filter((one) => !known.includes(one))
  if (unknown.length > 0 && inputSchema.additionalProperties === false) {
    const message = `${name} has no argument ${unknown.join(', ')}; the arguments are ${known.join(', ')}.`
    throw new TaskError('mcp_unknown_argument', message)
  }
  const missing = (inputSchema.required ?? []).filter((one) => args[one] === undefined)
  if (missing.length > 0) throw new TaskError('mcp_invalid_argument', `${name} needs ${missing.join(', ')}.`)
}

/** Has the service carry the write out, and roll it back. */
async function dryRunOf(site: AgentSite, tool: ApiTool, args: Values): Promise<object> {
  const { status, dryRun } = await site.try(tool, args)
  const { changes = [], outside = [], complete, pages } = dryRun ?? {}
  return {
    dry_run: true,
    would_call: tool.name,
    ...(status === 0 ? {} : { would_answer: status }),
    difference: changes.map(changeText).join('\n'),
    ...(outside.length > 0 && { outside }),
    ...(pages && pages.changed.length > 0 && { changed_pages: pages.changed.slice(0, mostPages) }),
    ...(complete === false && { note: status === 0 ? dependsOnOthers : tooManyRows }),
  }
}

const dependsOnOthers = 'The rest depends on a service outside of the site.'
const tooManyRows = 'More rows would change than are listed.'

const maxText = 400
/** An agent needs the nearest. */
const mostPages = 20

type Change = NonNullable<Success['dryRun']>['changes'][number]

const changeText = ({ record, members, before, after }: Change): string => {
  const { store, id = '', type = '', key = '', taxonomy = '' } = record
  const name = [store, id, type, key, taxonomy].filter((part) => part !== '').join(' ')
  const line = (sign: string, member: string, row: Values | null) =>
    row && Object.hasOwn(row, member) ? [`${sign} ${member}: ${JSON.stringify(row[member]).slice(0, maxText)}`] : []
  return [name, ...members.flatMap((member) => [...line('-', member, before), ...line('+', member, after)])].join('\n')
}
