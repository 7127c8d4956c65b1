/** Lists the tools of agents by task: at most fifteen, which every client can hold. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../../client/index.ts'
import { AgentSite } from '../site/agent-site.ts'
import type { SiteRoutes } from '../site/site-routes.ts'
import { TaskError, type Values } from '../site/task-error.ts'
import { failedResult, structured } from '../tool-results.ts'
import { aboutSite } from './about-site.ts'
import { changeStyle } from './change-style.ts'
import { changeText } from './change-text.ts'
import { find } from './find.ts'
import { history } from './history.ts'
import { media } from './media.ts'
import { outline } from './outline.ts'
import { publish } from './publish.ts'
import { read } from './read.ts'
import { callRoute, describeRoute } from './routes.ts'
import { checkedArguments, type Task } from './task.ts'
import { whereUsed } from './where-used.ts'
import { writePage } from './write-page.ts'

const tasks: readonly Task[] = [
  ...[aboutSite, find, read, outline],
  ...[writePage, changeText, changeStyle, media, publish, history],
  ...[whereUsed],
  ...[describeRoute, callRoute],
]

export const tasksOf = (routes: SiteRoutes): ReadonlyMap<string, Task> =>
  new Map(tasks.filter((task) => task.isOffered(routes)).map((task) => [task.name, task]))

export function taskView(task: Task, routes: SiteRoutes): Tool {
  const { name, title, description, required } = task
  const properties = task.arguments(routes)
  const mayWrite = task.writes || Object.hasOwn(properties, 'dry_run')
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties },
      ...(required ? { required: [...required] } : {}),
      additionalProperties: false,
    },
    annotations: { title, readOnlyHint: !mayWrite, destructiveHint: mayWrite, idempotentHint: !mayWrite },
  }
}

export async function runTask(
  task: Task,
  routes: SiteRoutes,
  { client, args, signal }: { readonly client: Client; readonly args: Values; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  try {
    const site = new AgentSite(routes, client, signal)
    const result = await task.run(site, checkedArguments(task, routes, args))
    const { warnings } = site
    return structured({ ...result, ...(warnings.length > 0 && !task.showsAnswer && { warnings }) })
  } catch (error) {
    if (!(error instanceof TaskError)) throw error
    const { code, message, status, params } = error
    return failedResult({ code, message, status, ...(params === undefined ? {} : { params }) })
  }
}
