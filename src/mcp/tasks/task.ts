/** A tool for one task of an agent: its arguments, its check, and its errors. A task has the rights of a client: it calls the routes of the site. */
import type { AgentSite } from '../site/agent-site.ts'
import type { SiteRoutes } from '../site/site-routes.ts'
import { TaskError, type Values } from '../site/task-error.ts'

/** The part of JSON Schema that arguments of tasks use. */
export interface ArgumentSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'object' | readonly ('string' | 'integer')[]
  readonly description: string
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

export interface Arguments {
  readonly [name: string]: ArgumentSchema
}

export interface Task {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Depends on the site: its types are values of arguments. */
  arguments(routes: SiteRoutes): Arguments
  readonly required?: readonly string[]
  /** Tasks that write are offered only where the host allows a write that they make. */
  readonly writes: boolean
  /** The result is the whole answer of a route, which has its warnings. */
  readonly showsAnswer?: true
  /** Whether the site has the routes of the task and the host allows them. */
  isOffered(routes: SiteRoutes): boolean
  /** Throws a TaskError, whose message names the way out. */
  run(site: AgentSite, args: Values): Promise<object>
}

/** The arguments that every page of a task shares. */
export const pageArgument: ArgumentSchema = {
  type: ['integer', 'string'],
  description: 'Id, slug or address of a page, post or other text.',
  maxLength: 2000,
}

export const dryRunArgument: ArgumentSchema = {
  type: 'boolean',
  description: 'True: nothing is written, the answer shows the difference.',
  default: false,
}

/** Returns the arguments with defaults. Throws for unknown, missing and wrong ones, all at once. */
export function checkedArguments(task: Task, routes: SiteRoutes, given: Values): Values {
  const schemas = task.arguments(routes)
  const problems: { [name: string]: string } = {}
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(schemas, name))
      problems[name] = `There is no such argument; there are ${Object.keys(schemas).join(', ')}.`
  }
  const values: { [name: string]: unknown } = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const value = given[name] ?? schema.default
    if (value === undefined) {
      if (task.required?.includes(name)) problems[name] = `It is missing: ${schema.description}`
      continue
    }
    const problem = problemOf(value, schema)
    if (problem !== undefined) problems[name] = problem
    values[name] = value
  }
  const [first] = Object.entries(problems)
  if (first) throw new TaskError('mcp_invalid_argument', `${first[0]}: ${first[1]}`, 400, problems)
  return values
}

function problemOf(value: unknown, schema: ArgumentSchema): string | undefined {
  const types: readonly string[] = typeof schema.type === 'string' ? [schema.type] : schema.type
  if (!types.some((type) => hasType(value, type))) return `It has to be ${types.join(' or ')}.`
  if (schema.enum && !schema.enum.includes(value as string)) return `It has to be one of ${schema.enum.join(', ')}.`
  if (typeof value === 'number') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
    if (value < minimum || value > maximum) return `It has to be from ${minimum} to ${maximum}.`
  }
  const longest = schema.maxLength ?? maxText
  if (typeof value === 'string' && value.length > longest) return `It may have ${longest} characters.`
  return undefined
}

/** Characters of any text; a page of words has far less. */
const maxText = 200_000

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
