/**
 * A grant stands in the form that asks a user to approve. It is signed by the site and says who may approve what, and until
 * when: nobody else can make one, and no other page can read it. Any process of the site can check it.
 */

import type { Context } from '../../core/declare/context.ts'
import { findUserById } from '../../core/pipeline/authentication.ts'
import { randomToken, sameDigest, sha256Of, signatureOf } from '../../core/runtime/crypto.ts'
import type { Storage, User } from '../../storage/contract.ts'
import type { AppRequest } from './args.ts'

/** Holds the key that grants are signed with. No part of an export. */
export const keyOption = 'consent_key'

const lifetimeMs = 10 * 60 * 1000

/** How the user was known when the form was made: to the host, or by the password. */
export type KnownBy = 'host' | 'password'

export interface Grant {
  readonly user: User
  readonly knownBy: KnownBy
  /** Good for one password. */
  readonly name: string
}

type Parts = Pick<Context, 'storage' | 'app'>

export async function issueGrant(
  { storage, app }: Parts,
  user: User,
  knownBy: KnownBy,
  request: AppRequest,
): Promise<string> {
  const key = (await readKey(storage)) ?? (await makeKey(storage))
  const head = [user.id, app.clock() + lifetimeMs, knownBy, randomToken()].join('.')
  return `${head}.${signatureOf(signedText(head, user, request), key)}`
}

/** Undefined for a grant that is not ours, too old, for another request, or of a user whose password has changed since. */
export async function readGrant(
  { storage, app }: Parts,
  text: string,
  request: AppRequest,
): Promise<Grant | undefined> {
  const [, head = '', id, until, knownBy, name = '', signature = ''] = form.exec(text) ?? []
  const key = await readKey(storage)
  if (key === undefined || head === '' || Number(until) <= app.clock()) return undefined
  const user = await findUserById(storage, Number(id))
  if (!user || user.blocked || !sameDigest(signatureOf(signedText(head, user, request), key), signature)) {
    return undefined
  }
  return { user, knownBy: knownBy as KnownBy, name }
}

const form = /^((\d{1,15})\.(\d{1,15})\.(host|password)\.([\w-]{43}))\.([\w-]{43})$/

const signedText = (head: string, { password }: User, { app_name, app_id, success_url, reject_url }: AppRequest) =>
  [head, sha256Of(password), sha256Of(JSON.stringify([app_name, app_id, success_url, reject_url]))].join('.')

async function readKey(storage: Storage): Promise<string | undefined> {
  const { [keyOption]: key } = await storage.options.read([keyOption])
  return typeof key === 'string' ? key : undefined
}

/** Of several processes that begin at once, one decides. */
async function makeKey(storage: Storage): Promise<string> {
  await storage.options.swap(keyOption, null, randomToken())
  const key = await readKey(storage)
  if (key === undefined) throw new Error(`the option ${keyOption} holds no key`)
  return key
}
