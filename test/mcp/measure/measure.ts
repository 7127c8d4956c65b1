/** Carries out a task in both ways, each on a new site, and counts calls and bytes. */
import { countingAgent, openSampleSite } from './site.ts'
import type { MeasuredTask } from './tasks.ts'

export interface Measured {
  readonly holds: boolean
  readonly steps: number
  /** Arguments and results, without the declarations of the tools. */
  readonly bytes: number
}

export async function measure(task: MeasuredTask, tools: 'routes' | 'tasks'): Promise<Measured> {
  const site = await openSampleSite()
  const agent = await countingAgent(site, { tools })
  const answer = await (tools === 'routes' ? task.byRoutes(agent) : task.byTasks(agent))
  const [steps, bytes] = [agent.steps(), agent.bytes()]
  const holds = await task.holds(site, answer as never)
  await agent.client.close()
  await site.api.close()
  return { holds, steps, bytes }
}

/** The bytes that a client holds for as long as it is connected. */
export async function declarations(
  tools: 'routes' | 'tasks',
): Promise<{ readonly count: number; readonly bytes: number }> {
  const site = await openSampleSite()
  const { client } = await countingAgent(site, { tools })
  const listed = (await client.listTools()).tools
  await client.close()
  await site.api.close()
  return { count: listed.length, bytes: JSON.stringify(listed).length }
}
