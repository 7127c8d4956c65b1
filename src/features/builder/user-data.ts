/** What the page builder keeps about the user who asks: which messages they have dismissed, and what they may do. */

import { list, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { forbidden, permission } from '../../core/declare/permissions.ts'
import { fields } from '../../core/declare/response-schema.ts'
import { andThen, type MaybePromise } from '../../core/runtime/maybe-promise.ts'
import { stripTags } from '../../html/strip-tags.ts'
import type { Json } from '../../storage/contract.ts'

const metaKey = '_builder_suppressed_messages'
const maxMessages = 1000
const maxMessageLength = 200

/** The host's own calls have all rights, but there is nobody to keep anything with. */
const signedInUser = permission('signed in', ({ user }) => (user.user ? undefined : forbidden(user)))

const suppressedMessages = list(str(), {
  description: 'The messages that the user has dismissed; takes the place of the whole list.',
  check: (sent: readonly string[]) => {
    if (sent.length > maxMessages) return `There are more than ${maxMessages} messages.`
    if (sent.some((one) => one.length > maxMessageLength))
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
    summary: 'Read what is kept about the caller',
    permission: signedInUser,
    responses: { 200: currentUserSchema },
    handler: currentUser,
  }),
  endpoint({
    path,
    methods: ['PATCH'],
    args: { suppressedMessages },
    summary: 'Change what is kept about the caller',
    permission: signedInUser,
    responses: { 200: currentUserSchema },
    handler: (context) => {
      const sent = context.args.suppressedMessages
      if (sent === undefined) return currentUser(context)
      const cleaned = sent.map((one) => stripTags(one).trim()).filter((one) => one !== '')
      const entry = { id: context.user.id, key: metaKey, value: [...new Set(cleaned)] }
      return andThen(context.storage.meta.write('user', [entry]), () => currentUser(context))
    },
  }),
])

function currentUser({ user, storage, settings, app }: Context): MaybePromise<unknown> {
  return andThen(storage.meta.read('user', [user.id], [metaKey]), ([entry]) => ({
    suppressedMessages: parseMessages(entry?.value),
    capabilities: capabilitiesOf({ user, settings }).map((one) => app.names.toPublic(one)),
  }))
}

const parseMessages = (stored: Json | undefined): readonly string[] =>
  Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []

/** Interface: the names of the roles stand among the capabilities. */
function capabilitiesOf({ user, settings }: Pick<Context, 'user' | 'settings'>): readonly string[] {
  const { roles = [], capabilities = {} } = user.user ?? {}
  const granted = roles.flatMap((role) =>
    Object.hasOwn(settings.roles, role) ? Object.keys(settings.roles[role] ?? {}) : [],
  )
  const names = new Set([...granted, ...Object.keys(capabilities)])
  return [...[...names].filter((name) => user.can(name)), ...roles.filter((role) => !names.has(role))]
}
