/** Signed tokens that let their holder see a post before it is published. Bound to the post, a reader and a time. */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { randomToken, sameDigest, signatureOf } from '../../../core/runtime/crypto.ts'

/** The key that signs the addresses of previews. It is made on first use. */
export const pagesSecretOption = 'pages_secret'

export async function pagesSecret(storage: Storage): Promise<string> {
  const stored = await storedSecret(storage)
  if (stored !== undefined) return stored
  // Two processes may come here at once: only one of them writes, and both read its key.
  await storage.options.swap(pagesSecretOption, null, randomToken())
  return String((await storage.options.read([pagesSecretOption]))[pagesSecretOption])
}

async function storedSecret(storage: Storage): Promise<string | undefined> {
  const stored = (await storage.options.read([pagesSecretOption]))[pagesSecretOption]
  return typeof stored === 'string' && stored !== '' ? stored : undefined
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Returns the preview of a user's autosave, valid for one to two days: the same address for a day. A read makes no key, since it may
 * run on a copy of the storage; without a key it returns undefined.
 */
export async function autosavePreview(
  { storage, user, settings, app }: Pick<Context, 'storage' | 'user' | 'settings' | 'app'>,
  post: number,
  { isWrite }: { readonly isWrite: boolean },
): Promise<string | undefined> {
  const secret = await (isWrite ? pagesSecret(storage) : storedSecret(storage))
  const until = (Math.floor(app.clock() / dayMs) + 2) * dayMs
  return secret === undefined ? undefined : previewAddress(settings.home, { post, user: user.id, until }, secret)
}

interface Preview {
  readonly post: number
  /** The user whose rights show the post. */
  readonly user: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The address on the site that shows the post to whoever has it. */
export function previewAddress(home: string, preview: Preview, secret: string): string {
  const query = new URLSearchParams({ p: String(preview.post), preview: previewToken(preview, secret) })
  return `${home}/?${query}`
}

const signed = ({ post, user, until }: Preview) => `preview ${post} ${user} ${until}`

export const previewToken = (preview: Preview, secret: string): string =>
  `${preview.user}.${preview.until.toString(36)}.${signatureOf(signed(preview), secret)}`

/** Undefined for a token of another post, an old one, and one that was not made here. */
export function readPreviewToken(token: string, post: number, now: number, secret: string): Preview | undefined {
  const [, user, time, signature = ''] = /^(\d{1,15})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? []
  if (user === undefined || time === undefined) return undefined
  const preview = { post, user: Number(user), until: Number.parseInt(time, 36) }
  if (preview.until < now || !sameDigest(signature, signatureOf(signed(preview), secret))) return undefined
  return preview
}
