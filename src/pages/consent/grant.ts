/**
 * A signed token in the approval form. It states which user may approve which request until when, so that another page can
 * not forge the form (CSRF). Any process of the site can verify it.
 */

import type { Storage, User } from '../../contract/storage.ts'
import type { Context } from '../../core/declare/context.ts'
import { findUserById } from '../../core/pipeline/authentication.ts'
import { randomToken, sameDigest, sha256Of, signatureOf } from '../../core/runtime/crypto.ts'
import type { AppRequest } from './args.ts'

/** The option with the signing key of grants; not exported. */
export const keyOption = 'consent_key'

const lifetimeMs = 10 * 60 * 1000

/** How the user was authenticated for the form: by the host, or with the password. */
type KnownBy = 'host' | 'password'

export interface Grant {
  readonly user: User
  readonly knownBy: KnownBy
  /** Unique; a grant creates one password at most. */
  readonly name: string
}

type GrantContext = Pick<Context, 'storage' | 'app'>

export async function issueGrant(
  { storage, app }: GrantContext,
  user: User,
  knownBy: KnownBy,
  request: AppRequest,
): Promise<string> {
  const key = (await readKey(storage)) ?? (await createKey(storage))
  const head = [user.id, app.clock() + lifetimeMs, knownBy, randomToken()].join('.')
  return `${head}.${signatureOf(signedText(head, user, request), key)}`
}

/** Undefined for a grant with a wrong signature, an expired one, and one for another request or an older password. */
export async function readGrant(
  { storage, app }: GrantContext,
  text: string,
  request: AppRequest,
): Promise<Grant | undefined> {
  const [, head = '', id, until, knownBy, name = '', signature = ''] = grantPattern.exec(text) ?? []
  const key = await readKey(storage)
  if (key === undefined || head === '' || Number(until) <= app.clock()) return undefined
  const user = await findUserById(storage, Number(id))
  if (!user || user.blocked || !sameDigest(signatureOf(signedText(head, user, request), key), signature)) {
    return undefined
  }
  return { user, knownBy: knownBy as KnownBy, name }
}

const grantPattern = /^((\d{1,15})\.(\d{1,15})\.(host|password)\.([\w-]{43}))\.([\w-]{43})$/

const signedText = (head: string, { password }: User, { app_name, app_id, success_url, reject_url }: AppRequest) =>
  [head, sha256Of(password), sha256Of(JSON.stringify([app_name, app_id, success_url, reject_url]))].join('.')

async function readKey(storage: Storage): Promise<string | undefined> {
  const { [keyOption]: key } = await storage.options.read([keyOption])
  return typeof key === 'string' ? key : undefined
}

/** The swap lets one of several concurrent processes set the key. */
async function createKey(storage: Storage): Promise<string> {
  await storage.options.swap(keyOption, null, randomToken())
  const key = await readKey(storage)
  if (key === undefined) throw new Error(`the option ${keyOption} holds no key`)
  return key
}
