/** `site-api mcp`: offers the tools of a site to an agent that runs this command, on stdin and stdout. */

import { createSiteApi, type SiteApi } from '../host/create-site-api.ts'
import type { McpServerOptions } from '../mcp/index.ts'
import {
  CliError,
  type Command,
  type CommandLine,
  oneOf,
  required,
  storageOption,
  UsageError,
  urlOf,
  urlOption,
} from './command.ts'
import { profiles } from './profiles.ts'
import { openStorage } from './storage.ts'
import { uploadsOf } from './uploads.ts'

export const mcp: Command = {
  name: 'mcp',
  summary:
    'Offer a site to an agent as tools, on stdin and stdout, with the rights of a user. They only read, unless --write names routes.',
  options: {
    storage: storageOption,
    profile: { value: 'd1|d2|content|full', says: 'The features of the API; without it d1' },
    user: { value: 'LOGIN', says: 'The user whose rights the tools have; without it those of a visitor' },
    tools: { value: 'tasks|routes', says: 'Tools by task, or one for each route; without it by task' },
    read: { value: 'ROUTE', says: 'Offer only this route for reading', isRepeated: true },
    write: { value: 'ROUTE', says: 'Let the agent write with this route', isRepeated: true },
    url: urlOption,
  },
  positionals: 0,
  examples: ['mcp --storage sqlite:site.db --profile full --user ada'],
  async run(line) {
    const storageText = required(line, 'storage', 'sqlite:site.db')
    const profile = profiles[oneOf(line, 'profile', ['d1', 'd2', 'content', 'full'])]
    const tools = oneOf(line, 'tools', ['tasks', 'routes'])
    const url = urlOf(line)
    const storage = await openStorage(storageText, { mustExist: true })
    const media = uploadsOf(storageText)
    const api = createSiteApi({ storage, profile, services: { media }, ...(url === undefined ? {} : { url }) })
    try {
      await serveStdio(api, { tools, ...(await optionsFor(api, line)) })
    } finally {
      await api.close()
    }
  },
}

async function optionsFor(
  { site }: SiteApi,
  { options: { user: login }, lists }: CommandLine,
): Promise<McpServerOptions> {
  const selection = {
    ...(lists['read'] ? { read: lists['read'] } : {}),
    ...(lists['write'] ? { write: lists['write'] } : {}),
  }
  if (login === undefined) return selection
  const user = await site.users.find({ login })
  if (!user) throw new CliError(`nobody has the login ${login}`)
  return { ...selection, as: user.id }
}

/** Until the agent closes stdin. Nothing else may be written to stdout. */
async function serveStdio(api: SiteApi, options: McpServerOptions): Promise<void> {
  const { createMcpServer } = await import('../mcp/index.ts')
  const server = await createMcpServer(api, options).catch((error: Error) => {
    // A pattern that no tool has, or the SDK that is not installed.
    throw error instanceof TypeError ? new UsageError(`--${error.message}`) : new CliError(error.message)
  })
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
  process.stdin.destroy()
}
