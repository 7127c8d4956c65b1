/** Calls that the host makes itself: no HTTP, and no sign-in. They get what a client would have been sent. */
import type { Storage } from '../../storage/contract.ts'
import type { Site } from '../declare/app-context.ts'
import { type Actor, actorOf, system, visitor } from '../declare/permissions.ts'
import { type ReplyHeaders, Stream } from '../declare/result.ts'
import { innerIncoming } from '../request/incoming.ts'
import { toJson } from '../runtime/json.ts'
import { userById } from './authentication.ts'
import { refusalOf } from './error-response.ts'
import type { Machine } from './pipeline.ts'

export interface CallOptions {
  /** The id of a user, or 'system' for all rights. A visitor unless it is given. */
  readonly as?: number | 'system'
  /** Conditions such as `If-Match`. Nobody is signed in by them. */
  readonly headers?: { readonly [name: string]: string }
}

export interface CallResult<T = unknown> {
  readonly data: T
  readonly status: number
  readonly headers: ReplyHeaders
}

export interface InsideParts {
  readonly machine: Machine
  readonly site: Site
  readonly storage: Storage
}

export type CallArguments = { readonly [name: string]: unknown } | undefined

export async function callInside(
  { machine, site, storage }: InsideParts,
  method: string,
  path: string,
  args: CallArguments,
  { as, headers = {} }: CallOptions = {},
): Promise<CallResult> {
  const user = await actorFor(as, site, storage)
  const question = path.indexOf('?')
  const bare = question === -1 ? path : path.slice(0, question)
  const query = question === -1 ? '' : path.slice(question + 1)
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  try {
    const incoming = innerIncoming('call', method.toUpperCase(), bare, query, args, lower)
    const { data, ...answer } = await machine.call(incoming, user)
    return { ...answer, data: await sent(data) }
  } catch (error) {
    throw refusalOf(error, site.names) ?? error
  }
}

async function actorFor(as: CallOptions['as'], site: Site, storage: Storage): Promise<Actor> {
  if (as === undefined) return visitor
  if (as === 'system') return system
  const [settings, user] = [await site.settings.read(storage), await userById(storage, as)]
  if (!user) throw new TypeError(`there is no user ${as}`)
  return actorOf(user, settings.roles)
}

/** What a client reads of it: a copy, in which nothing is left of how it is kept here. */
async function sent(data: unknown): Promise<unknown> {
  const isStream = data instanceof Stream
  const text = isStream ? await new Response(data.body as BodyInit | null).text() : toJson(data)
  if (isStream && !/json/.test(data.contentType)) return text
  return text === '' ? undefined : JSON.parse(text)
}
