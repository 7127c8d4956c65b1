/** Connecting the site to an account elsewhere: the same four endpoints in each namespace, and the way back for them all. */

import { actorOf } from '../../../core/declare/actor.ts'
import { bool, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError, errorBody } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { anyone, can } from '../../../core/declare/permissions.ts'
import { emptyList, exactly, fields, nonJsonBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { OAuthError, oauthOf } from '../../../services/oauth/index.ts'
import {
  type Attempt,
  beginAttempt,
  consumeAttempt,
  endConnection,
  findAttempt,
  isValidConnection,
  moveConnection,
  pauseConnection,
  readConnection,
  requireOAuth,
  siteOf,
  storeTokens,
} from './model.ts'
import { returnPage } from './view.ts'

const mayConnect = can('manage_options')
const success = (data: unknown) => ({ success: true, data })

const doneSchema = fields({ success: exactly(true), data: emptyList() })
const authorizeSchema = fields({
  success: exactly(true),
  data: str({ format: 'uri', description: 'Where the user agrees.' }),
})
const movedSchema = fields({ success: exactly(true), data: fields({ message: str() }) })

/** `connection`: which one the namespace is about, as events and other features name it. */
export function connections<const N extends string>({
  namespace,
  connection,
}: {
  readonly namespace: N
  readonly connection: string
}) {
  return feature('connections', namespace, [
    endpoint({
      path: '/connect/authorize',
      methods: ['POST'],
      args: { clearSession: bool({ default: false, description: 'Whether to forget an earlier connection first.' }) },
      summary: 'Begin to connect: answers the address at which the user agrees',
      permission: mayConnect,
      responses: { 200: authorizeSchema },
      atomic: false,
      handler: async (context) => {
        const connect = requireOAuth(context)
        if (context.args.clearSession) await endConnection(context, connection, { client: true })
        else if (isValidConnection(await readConnection(context.storage, connection), context.settings)) {
          throw new ApiError('forbidden', 'This site is connected already.', 403)
        }
        return callService(context, () => beginAttempt(context, connection, connect))
      },
    }),
    endpoint({
      path: '/connect/disconnect',
      methods: ['POST'],
      args: {},
      summary: 'End the connection',
      permission: mayConnect,
      responses: { 200: doneSchema },
      atomic: false,
      handler: async (context) => {
        await endConnection(context, connection)
        return success([])
      },
    }),
    endpoint({
      path: '/connect/switch-domain',
      methods: ['POST'],
      args: {},
      summary: 'Take the connection along to the new address of the site',
      permission: mayConnect,
      responses: { 200: movedSchema },
      atomic: false,
      handler: async (context) => {
        const connect = requireOAuth(context)
        return callService(context, async () => {
          await moveConnection(context, connection, connect)
          return { message: 'Domain updated!' }
        })
      },
    }),
    endpoint({
      path: '/connect/deactivate',
      methods: ['POST'],
      args: {},
      summary: 'Pause the connection',
      permission: mayConnect,
      responses: { 200: doneSchema },
      atomic: false,
      handler: async (context) => {
        await pauseConnection(context, connection)
        return success([])
      },
    }),
  ])
}

/**
 * Interface: the code is the one of an inner failure; the status says that it was another server. Answered, not thrown:
 * what was ended before stays ended, and whoever follows that is told.
 */
async function callService({ app }: Pick<Context, 'app'>, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return success(await work())
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const id = crypto.randomUUID()
    app.log.error('the service for connections failed', { id, error })
    const failure = new ApiError('internal_server_error', 'The service did not answer as it should.', 502, { id })
    return result(errorBody(failure), { status: 502 })
  }
}

// ---------------------------------------------------------------- the way back

const maxLength = 4096
const returnArgs = {
  state: str({ maxLength, default: '' }),
  code: str({ maxLength, default: '' }),
  iss: str({ maxLength }),
}

/**
 * Where the server sends the user's browser, which signs in nowhere: the state, known to nobody else and good for once, says
 * who has begun. No part of the interface, so the index does not show it.
 */
export const connectionReturn = feature('connection-return', '', [
  endpoint({
    path: '/connect/return',
    methods: ['GET'],
    args: returnArgs,
    summary: 'Finish what connect/authorize has begun',
    unlisted: true,
    permission: anyone,
    responses: { 200: nonJsonBody('text/html; charset=UTF-8') },
    handler: async (context) => {
      const { settings, args, incoming } = context
      const attempt = await findAttempt(context, args.state)
      // A read of the headers alone must not use it up.
      if (attempt && incoming.method === 'HEAD') return returnPage(settings, 200, 'Connect')
      if (!attempt || !(await consumeAttempt(context, attempt))) {
        return returnPage(settings, 400, 'This way back is unknown, too old or used already.')
      }
      if (!(await mayFinish(context, attempt))) return returnPage(settings, 403, 'You may not connect this site.')
      if (args.code === '') return returnPage(settings, 400, 'The site was not connected.')
      try {
        const answer = { code: args.code, verifier: attempt.verifier, issuer: args.iss }
        const tokens = await oauthOf(context.app).finish(attempt.client, siteOf(context), answer)
        await storeTokens(context, attempt, tokens)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        context.app.log.error('a site was not connected', { id: crypto.randomUUID(), error })
        return returnPage(settings, error.code === 'refused' ? 400 : 502, 'The site was not connected.')
      }
      return returnPage(settings, 200, 'The site is connected.')
    },
  }),
])

/** Who has begun must still be allowed to, and whoever is signed in must be the same. */
async function mayFinish({ storage, settings, user }: Context, attempt: Attempt): Promise<boolean> {
  if (!user.isVisitor && user.id !== attempt.user) return false
  const owner = await findUserById(storage, attempt.user)
  return owner !== undefined && !owner.blocked && actorOf(owner, settings.roles).can('manage_options')
}
