/**
 * The page at which a user lets an application in: `authorize_url` of the site index. The user signs in, or is known to the
 * host; sees which application asks; approves or refuses; and is sent back with a password for the application. It works
 * without scripts, and keeps nothing in the browser.
 */

import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { type Feature, feature } from '../../core/declare/feature.ts'
import { anyone } from '../../core/declare/permissions.ts'
import type { Result } from '../../core/declare/result.ts'
import { createApplicationPassword } from '../../core/pipeline/application-passwords.ts'
import { retryTransaction } from '../../core/runtime/retry-transaction.ts'
import type { User } from '../../storage/contract.ts'
import { seeOther } from '../html.ts'
import { type AppRequest, formArgs, requestArgs, type SentForm, toName } from './args.ts'
import { type Grant, issueGrant, keyOption, readGrant } from './grant.ts'
import { toAppSchemes, withValues } from './return-address.ts'
import { hostUser, refuseEmbedding, refuseForeignForm, type TryLimit, tooSoon, userByPassword } from './sign-in.ts'
import {
  errorPage,
  type Problem,
  passwordPage,
  questionPage,
  refusalAddress,
  refusedPage,
  signInLinkPage,
  signInPage,
} from './view.ts'

export interface ConsentOptions {
  /**
   * Applications that may be opened with a new password, by their schemes: `com.example.app`. Addresses with https, and
   * those of the user's own machine, are always taken.
   */
  readonly appSchemes?: readonly string[]
  /**
   * Your own page for signing in, for people whom `authenticate` does not know yet; it gets the address to come back to.
   * Default: the page asks for the login and the password of a user of the site.
   */
  readonly signInUrl?: (returnTo: string) => string
  /** How often the password of one login may be tried. */
  readonly limit: TryLimit
  /** How often passwords may be tried at all: each try is slow on purpose. */
  readonly limitOfAll: TryLimit
}

export function consent({ appSchemes = [], signInUrl, limit, limitOfAll }: ConsentOptions): Feature {
  const schemes = toAppSchemes(appSchemes)

  /** The question to whom the host knows, otherwise who it is. */
  async function ask(call: Context, request: AppRequest, problem?: Problem): Promise<Result> {
    const user = hostUser(call)
    if (user) {
      return questionPage(call, request, { user, grant: await issueGrant(call, user, 'host', request) }, problem)
    }
    return signInUrl ? signInLinkPage(call, request, signInUrl, problem) : signInPage(call, request, '', problem)
  }

  async function signIn(call: Context<SentForm>): Promise<Result> {
    const { storage, args } = call
    const request = requestOf(args)
    if (signInUrl) return ask(call, request)
    const seconds = await tooSoon(limit, limitOfAll, args.login)
    if (seconds > 0) {
      const text = 'Too many attempts. Wait a moment, then try again.'
      return signInPage(call, request, args.login, { status: 429, text, retryAfter: seconds })
    }
    const user = await userByPassword(storage, args.login, args.password)
    if (!user) return signInPage(call, request, args.login, { status: 401, text: 'Login or password is wrong.' })
    return questionPage(call, request, { user, grant: await issueGrant(call, user, 'password', request) })
  }

  async function approve(call: Context<SentForm>): Promise<Result> {
    const request = requestOf(call.args)
    const grant = await readGrant(call, call.args.grant, request)
    // Whoever left the host meanwhile, or came back as somebody else, is asked anew.
    if (!grant || (grant.knownBy === 'host' && hostUser(call)?.id !== grant.user.id)) {
      return ask(call, request, { status: 403, text: 'This page was open for too long, or did not come from here.' })
    }
    const secret = await createOnce(call, grant, request)
    if (secret === undefined) {
      return ask(call, request, {
        status: 409,
        text: 'This was approved already. For one more password, decide again.',
      })
    }
    return handOver(call, request, grant.user, secret)
  }

  return feature(
    'consent',
    '',
    [
      endpoint({
        path: '/authorize',
        methods: ['GET'],
        args: requestArgs(schemes),
        summary: 'Ask a user to let an application in',
        unlisted: true,
        errorPage,
        permission: anyone,
        handler: (call) => {
          refuseEmbedding(call)
          return ask(call, requestOf(call.args))
        },
      }),
      endpoint({
        path: '/authorize',
        methods: ['POST'],
        args: formArgs(schemes),
        summary: 'Sign in, approve or refuse',
        unlisted: true,
        errorPage,
        permission: anyone,
        // A slow digest must not hold a transaction.
        atomic: false,
        bodyLimitBytes: 32 * 1024,
        handler: (call) => {
          refuseEmbedding(call)
          refuseForeignForm(call)
          if (call.args.decision === 'refuse') return refuse(call, requestOf(call.args))
          return call.args.decision === 'approve' ? approve(call) : signIn(call)
        },
      }),
    ],
    { persisted: { transientOptions: [keyOption] } },
  )
}

const requestOf = ({ app_name, app_id, success_url, reject_url }: AppRequest): AppRequest => ({
  app_name: toName(app_name),
  app_id,
  success_url,
  reject_url,
})

/** Undefined when the grant has been used. Choice: an application may have several passwords of one user, as in the field. */
async function createOnce(
  call: Context,
  { user, name: grant }: Grant,
  request: AppRequest,
): Promise<string | undefined> {
  const { app_name: name, app_id: appId } = request
  const created = new Date(call.app.clock()).toISOString().slice(0, 19)
  try {
    const { id, secret } = await retryTransaction(call.storage, (inside) =>
      createApplicationPassword(inside, { user: user.id, name, appId, created, grant }),
    )
    call.emit('password.created', { id, user: user.id, name, appId })
    return secret
  } catch (error) {
    if ((error as { readonly field?: unknown }).field !== 'grant') throw error
    return undefined
  }
}

function handOver(call: Context, request: AppRequest, user: User, secret: string): Result {
  if (request.success_url === '') return passwordPage(call, request, user, secret)
  const values = { site_url: call.settings.url, user_login: user.login, password: secret }
  return seeOther(withValues(request.success_url, values))
}

function refuse(call: Context, request: AppRequest): Result {
  const address = refusalAddress(request)
  return address === '' ? refusedPage(call, request) : seeOther(address)
}
