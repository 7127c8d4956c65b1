/**
 * OAuth connections of the site: the same four endpoints in each namespace, and one redirect endpoint for all of them.
 */

import { actorOf } from '../../../core/declare/actor.ts'
import { bool, secret, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError, errorBody } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { anyone, can } from '../../../core/declare/permissions.ts'
import { emptyList, fields, nonJsonBody } from '../../../core/declare/response-schema.ts'
import { type Result, result } from '../../../core/declare/result.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { OAuthError, oauthOf } from '../../../services/oauth/index.ts'
import { success, successSchema } from '../../shared/success.ts'
import { createConnections } from './live-token.ts'
import {
  type Attempt,
  beginAttempt,
  consumeAttempt,
  endConnection,
  findAttempt,
  isValidConnection,
  moveConnection,
  pauseConnection,
  renewedConnection,
  requireOAuth,
  siteOf,
  storeTokens,
} from './model.ts'
import { returnPage } from './view.ts'

const mayConnect = can('manage_options')

const doneSchema = successSchema(emptyList())
const authorizeSchema = successSchema(str({ format: 'uri', description: 'Where the user agrees.' }))
const movedSchema = successSchema(fields({ message: str() }))

/** `connection` names the connection in storage, events and other features. */
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
      summary: 'Start a connection and return the authorization URL',
      permission: mayConnect,
      responses: { 200: authorizeSchema },
      atomic: false,
      handler: async (context) => {
        const service = requireOAuth(context)
        if (context.args.clearSession) await endConnection(context, connection, { client: true })
        else if (isValidConnection(await renewedConnection(context, connection), context)) {
          throw new ApiError('forbidden', 'This site is connected already.', 403)
        }
        return callService(context, () => beginAttempt(context, connection, service))
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
      summary: 'Move the connection to the new URL of the site',
      permission: mayConnect,
      responses: { 200: movedSchema },
      atomic: false,
      handler: async (context) => {
        const service = requireOAuth(context)
        return callService(context, async () => {
          await moveConnection(context, connection, service)
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
 * Interface: a failure of the service has the code of an internal error and status 502. It is returned, not thrown, so
 * that changes made before it are committed and their events are sent.
 */
async function callService({ app }: Pick<Context, 'app'>, call: () => Promise<unknown>): Promise<unknown> {
  try {
    return success(await call())
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const id = randomId()
    app.log.error('the service for connections failed', { id, error })
    const apiError = new ApiError('internal_server_error', 'The service did not answer as it should.', 502, { id })
    return result(errorBody(apiError), { status: 502 })
  }
}

// ---------------------------------------------------------------- redirect endpoint

const maxLength = 4096
const returnArgs = {
  state: secret(str({ maxLength, default: '' })),
  code: secret(str({ maxLength, default: '' })),
  iss: str({ maxLength }),
}

/**
 * The redirect URI of the OAuth flow. The browser sends no credentials of this API, so the single-use state identifies
 * the user who started the flow. Not listed in the index.
 */
export const connectionReturn = feature(
  'connection-return',
  '',
  [
    endpoint({
      path: '/connect/return',
      methods: ['GET'],
      args: returnArgs,
      summary: 'Complete a connection after authorization',
      unlisted: true,
      permission: anyone,
      responses: { 200: nonJsonBody('text/html; charset=UTF-8') },
      handler: finishConnection,
    }),
  ],
  { siteExtensions: { connections: createConnections } },
)

type ReturnContext = Context<{ readonly state: string; readonly code: string; readonly iss?: string | undefined }>

async function finishConnection(context: ReturnContext): Promise<Result> {
  const { settings, args, incoming } = context
  const attempt = await findAttempt(context, args.state)
  // HEAD requests, such as those of link scanners, must not use the state up.
  if (attempt && incoming.method === 'HEAD') return returnPage(settings, 200, 'Connect')
  if (!attempt || !(await consumeAttempt(context, attempt))) {
    return returnPage(settings, 400, 'This way back is unknown, too old or used already.')
  }
  if (!(await mayFinish(context, attempt))) return returnPage(settings, 403, 'You may not connect this site.')
  if (args.code === '') return returnPage(settings, 400, 'The site was not connected.')
  try {
    const response = { code: args.code, verifier: attempt.verifier, issuer: args.iss }
    const tokens = await oauthOf(context.app).finish(attempt.client, siteOf(context), response)
    await storeTokens(context, attempt, tokens)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    context.app.log.error('a site was not connected', { id: randomId(), error })
    return returnPage(settings, error.code === 'refused' ? 400 : 502, 'The site was not connected.')
  }
  return returnPage(settings, 200, 'The site is connected.')
}

/** The user who started the attempt must still have the capability; a signed-in user must be the same user. */
async function mayFinish({ storage, settings, user }: Context, attempt: Attempt): Promise<boolean> {
  if (!user.isVisitor && user.id !== attempt.user) return false
  const owner = await findUserById(storage, attempt.user)
  return owner !== undefined && !owner.blocked && actorOf(owner, settings.roles).can('manage_options')
}
