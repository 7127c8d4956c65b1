/**
 * The page on which a user authorizes an application (`authorize_url` of the site index). The user signs in, or is signed in
 * at the host, approves or rejects the request, and is redirected with an application password. It needs no scripts and
 * stores nothing in the browser.
 */

import type { User } from '../../contract/storage.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { type Feature, feature } from '../../core/declare/feature.ts'
import { anyone } from '../../core/declare/permissions.ts'
import type { Incoming } from '../../core/declare/request.ts'
import type { Result } from '../../core/declare/result.ts'
import { createApplicationPassword } from '../../core/pipeline/application-passwords.ts'
import { retryTransaction } from '../../core/runtime/retry-transaction.ts'
import { seeOther } from '../html.ts'
import { type AppRequest, formArgs, requestArgs, type SentForm, toName } from './args.ts'
import { type Grant, issueGrant, keyOption, readGrant } from './grant.ts'
import { toAppSchemes, withValues } from './return-address.ts'
import { hostUser, refuseEmbedding, refuseFlood, refuseForeignForm, type TryLimit, userByPassword } from './sign-in.ts'
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

interface ConsentOptions {
  /**
   * URL schemes of applications that may receive a password: `com.example.app`. URLs with https, and those of the user's own
   * machine, are always allowed.
   */
  readonly appSchemes?: readonly string[]
  /**
   * The URL of the host's sign-in page, for users whom `authenticate` does not recognise; it gets the URL to return to.
   * Default: the page asks for the login and password of a user of the site.
   */
  readonly signInUrl?: (returnTo: string) => string
  /** Limits password attempts per account, and per network where it is known. Default: wrong ones are counted in the storage. */
  readonly limit?: TryLimit
  /**
   * Returns the network of a client if the host vouches for its address. Attempts of each network are limited in the storage.
   */
  readonly networkOf?: (app: AppContext, incoming: Incoming) => string | undefined
}

export function consent({ appSchemes = [], signInUrl, limit, networkOf }: ConsentOptions): Feature {
  const schemes = toAppSchemes(appSchemes)
  const rules: SignInRules = { signInUrl, limit, networkOf }
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
        handler: (context) => {
          refuseEmbedding(context)
          return firstPage(context, rules, requestOf(context.args))
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
        handler: (context) => {
          refuseEmbedding(context)
          refuseForeignForm(context)
          if (context.args.decision === 'refuse') return refuse(context, requestOf(context.args))
          return context.args.decision === 'approve' ? approve(context, rules) : signIn(context, rules)
        },
      }),
    ],
    { persisted: { options: [{ name: keyOption }] } },
  )
}

interface SignInRules {
  readonly limit: TryLimit | undefined
  readonly networkOf: ConsentOptions['networkOf'] | undefined
  readonly signInUrl: ConsentOptions['signInUrl'] | undefined
}

/** The approval form for a user whom the host recognises, otherwise the sign-in form. */
async function firstPage(
  context: Context,
  { signInUrl }: SignInRules,
  request: AppRequest,
  problem?: Problem,
): Promise<Result> {
  const user = hostUser(context)
  if (user) {
    return questionPage(context, request, { user, grant: await issueGrant(context, user, 'host', request) }, problem)
  }
  return signInUrl ? signInLinkPage(context, request, signInUrl, problem) : signInPage(context, request, '', problem)
}

async function signIn(context: Context<SentForm>, rules: SignInRules): Promise<Result> {
  const { args } = context
  const request = requestOf(args)
  if (rules.signInUrl) return firstPage(context, rules, request)
  refuseFlood()
  const network = rules.networkOf?.(context.app, context.incoming)
  const { login, password } = args
  const user = await userByPassword(context, { login, password, limit: rules.limit, network })
  if (typeof user === 'number') {
    const text = 'Too many attempts. Wait a moment, then try again.'
    return signInPage(context, request, login, { status: 429, text, retryAfter: user })
  }
  if (!user) return signInPage(context, request, args.login, { status: 401, text: 'Login or password is wrong.' })
  return questionPage(context, request, { user, grant: await issueGrant(context, user, 'password', request) })
}

async function approve(context: Context<SentForm>, rules: SignInRules): Promise<Result> {
  const request = requestOf(context.args)
  const grant = await readGrant(context, context.args.grant, request)
  // A user who signed out at the host, or signed in as another user, starts again.
  if (!grant || (grant.knownBy === 'host' && hostUser(context)?.id !== grant.user.id)) {
    return firstPage(context, rules, request, {
      status: 403,
      text: 'This page was open for too long, or did not come from here.',
    })
  }
  const secret = await createOnce(context, grant, request)
  if (secret === undefined) {
    return firstPage(context, rules, request, {
      status: 409,
      text: 'This was approved already. For one more password, decide again.',
    })
  }
  return handOver(context, request, grant.user, secret)
}

const requestOf = ({ app_name, app_id, success_url, reject_url }: AppRequest): AppRequest => ({
  app_name: toName(app_name),
  app_id,
  success_url,
  reject_url,
})

/** Undefined if the grant was used before. Choice: an application may have several passwords of one user, as in the field. */
async function createOnce(
  context: Context,
  { user, name: grant }: Grant,
  request: AppRequest,
): Promise<string | undefined> {
  const { app_name: name, app_id: appId } = request
  const created = new Date(context.app.clock()).toISOString().slice(0, 19)
  try {
    const { id, secret } = await retryTransaction(context.storage, (transaction) =>
      createApplicationPassword(transaction, { user: user.id, name, appId, created, grant }),
    )
    context.emit('password.created', { id, user: user.id, name, appId })
    return secret
  } catch (error) {
    if ((error as { readonly field?: unknown }).field !== 'grant') throw error
    return undefined
  }
}

function handOver(context: Context, request: AppRequest, user: User, secret: string): Result {
  if (request.success_url === '') return passwordPage(context, request, user, secret)
  const values = { site_url: context.settings.url, user_login: user.login, password: secret }
  return seeOther(withValues(request.success_url, values))
}

function refuse(context: Context, request: AppRequest): Result {
  const address = refusalAddress(request)
  return address === '' ? refusedPage(context, request) : seeOther(address)
}
