/** Which tools an agent has: reading ones, unless the host names a write. */
import type { ApiTool } from './tools.ts'

/** Which tools an agent is offered, and which routes they may call: reading ones, and writing ones by name. */
export interface ToolSelection {
  /**
   * `tasks`: at most 15 tools, each for a task: find, read, write a page, change texts. They call only routes that `read` and `write`
   * name. `routes`: a tool for each of these routes. Default: `tasks`.
   */
  readonly tools?: 'tasks' | 'routes'
  /**
   * Writing routes that the agent may call, by the names of their tools; `*` stands for any characters, and `posts.create`
   * is `posts_create`. Default: none.
   */
  readonly write?: readonly string[]
  /** Reading routes, in the same form. Default: all. */
  readonly read?: readonly string[]
}

/** Throws a TypeError for an unknown word, and for a pattern that no tool has: a misspelt name would be a tool that is missing in silence. */
export function selectedTools(
  tools: readonly ApiTool[],
  { tools: form = 'tasks', write = [], read = ['*'] }: ToolSelection,
): readonly ApiTool[] {
  if (form !== 'tasks' && form !== 'routes') throw new TypeError(`tools: ${form} is neither tasks nor routes`)
  const reads = tools.filter((tool) => tool.reads)
  const writes = tools.filter((tool) => !tool.reads)
  const chosen = new Set([...matching(reads, read, 'read'), ...matching(writes, write, 'write')])
  return tools.filter((tool) => chosen.has(tool))
}

const matching = (tools: readonly ApiTool[], patterns: readonly string[], option: string): readonly ApiTool[] =>
  patterns.flatMap((pattern) => {
    const found = tools.filter(({ name }) => toRegExp(pattern).test(name))
    if (found.length > 0 || pattern === '*') return found
    const names = tools.map(({ name }) => name).join(', ')
    throw new TypeError(`${option}: no tool has the name ${pattern}; there are ${names}`)
  })

const toRegExp = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((text) => text.replaceAll('.', '_').replace(/[^\w]/g, '\\$&'))
      .join('.*')}$`,
  )
