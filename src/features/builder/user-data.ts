/** Returns the dismissed messages and the capabilities of the current user, for the page builder. */

import type { Json } from '../../contract/storage.ts'
import { list, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { forbidden, permission } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'
import { storedState } from '../../core/pipeline/etag.ts'
import { stripTags } from '../../html/strip-tags.ts'

const metaKey = '_builder_suppressed_messages'
const maxMessages = 1000
const maxMessageLength = 200

/** In-process calls by the host have all capabilities, but no user whose meta could be stored. */
const signedInUser = permission('signed in', ({ user }) => (user.user ? undefined : forbidden(user)))

const suppressedMessages = list(str(), {
  description: 'The messages that the user has dismissed; takes the place of the whole list.',
  check: (messages: readonly string[]) => {
    if (messages.length > maxMessages) return `There are more than ${maxMessages} messages.`
    if (messages.some(({ length }) => length > maxMessageLength))
      return `A message has at most ${maxMessageLength} characters.`
    return undefined
  },
})

const currentUserSchema = fields(
  {
    suppressedMessages: list(str(), { description: 'The messages that the user has dismissed.' }),
    capabilities: list(str(), { description: 'What the user may do; the roles stand among them.' }),
  },
  { title: 'What is kept about a user' },
)

const path = '/user-data/current-user'

export const userData = feature('user-data', 'builder/v1', [
  endpoint({
    path,
    methods: ['GET'],
    args: {},
    summary: 'Read the stored data of the current user',
    permission: signedInUser,
    responses: { 200: currentUserSchema },
    stored: async (context) => storedState(await readMessages(context)),
    handler: currentUser,
  }),
  endpoint({
    path,
    methods: ['PATCH'],
    args: { suppressedMessages },
    summary: 'Change the stored data of the current user',
    permission: signedInUser,
    responses: { 200: currentUserSchema },
    stored: async (context) => storedState(await readMessages(context)),
    handler: async (context) => {
      const { suppressedMessages: messages } = context.args
      if (messages === undefined) return currentUser(context)
      const cleaned = messages.map((message) => stripTags(message).trim()).filter((message) => message !== '')
      const entry = { id: context.user.id, key: metaKey, value: [...new Set(cleaned)] }
      await context.storage.meta.write('user', [entry])
      return currentUser(context)
    },
  }),
])

async function currentUser(context: Context) {
  return {
    suppressedMessages: await readMessages(context),
    capabilities: capabilitiesOf(context).map((name) => context.app.names.toPublic(name)),
  }
}

async function readMessages({ user, storage }: Pick<Context, 'user' | 'storage'>): Promise<readonly string[]> {
  const [entry] = await storage.meta.read('user', [user.id], [metaKey])
  return parseMessages(entry?.value)
}

const parseMessages = (stored: Json | undefined): readonly string[] =>
  Array.isArray(stored) ? stored.filter((message) => typeof message === 'string') : []

/** Interface: the list of capabilities includes the names of the roles. */
function capabilitiesOf({ user, settings }: Pick<Context, 'user' | 'settings'>): readonly string[] {
  const { roles = [], capabilities = {} } = user.user ?? {}
  const granted = roles.flatMap((role) =>
    Object.hasOwn(settings.roles, role) ? Object.keys(settings.roles[role] ?? {}) : [],
  )
  const names = new Set([...granted, ...Object.keys(capabilities)])
  return [...[...names].filter((name) => user.can(name)), ...roles.filter((role) => !names.has(role))]
}
