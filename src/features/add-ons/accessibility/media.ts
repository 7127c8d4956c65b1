/** Pictures of the site: the text that stands for one, and the text that one consists of. Never those of another site. */
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { can } from '../../../core/declare/permissions.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { httpClientOf } from '../../../services/http-client/index.ts'
import { mediaOf, wholeAddress } from '../../../services/media.ts'
import { alternativeTextKey, attachedFileKey } from '../../../site/post-keys.ts'
import type { Storage } from '../../../storage/contract.ts'
import { lengths, optionalText, textOf, undeclaredArgs } from './args.ts'
import { mediumSchema, message, messageSchema, success } from './view.ts'

const permission = can('manage_options')
const maxAltText = 5000
const maxBytes = 1024 * 1024

export const mediaEndpoints = [
  endpoint({
    path: '/settings/get-media',
    methods: ['POST'],
    args: {},
    takesAnyBody: true,
    bodyLimitBytes: 16 * 1024,
    summary: 'Read a text file of the library, such as a drawing',
    permission,
    // It may ask the host for the file.
    atomic: false,
    responses: { 200: mediumSchema },
    handler: async (context) => {
      const address = typeof context.body === 'string' ? toOwnAddress(context, unquote(context.body.trim())) : undefined
      if (!address) throw new ApiError('bad_request', 'The body is not the address of a medium of this site.', 400)
      return success(new TextDecoder().decode(await readMedium(context, address)))
    },
  }),
  endpoint({
    path: '/remediation/set-alt-text',
    methods: ['POST'],
    args: undeclaredArgs('url', 'alt_text'),
    summary: 'Say what stands for a medium where it cannot be seen',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => {
      const { args, storage, user, emit } = context
      const url = textOf(args, 'url', { maxLength: lengths.url })
      const text = stripTags(optionalText(args, 'alt_text', maxAltText) ?? '').trim()
      const address = toOwnAddress(context, url)
      const id = address && (await findMediumByPath(storage, address.path))
      if (!id) throw new ApiError('attachment_not_found', 'There is no such medium on this site.', 404)
      await storage.meta.write('post', [{ id, key: alternativeTextKey, value: text === '' ? null : text }])
      emit('media.described', { id, by: user.id })
      return message('The alternative text is changed.')
    },
  }),
] as const

/** A JSON text that came without its type. */
function unquote(text: string): string {
  const quoted = /^"([^"\\]*)"$/.exec(text)
  return quoted?.[1] ?? text
}

interface OwnAddress {
  readonly url: URL
  /** Below the folder of uploads. */
  readonly path: string
}

/** Undefined for what lies anywhere else. */
function toOwnAddress({ settings, app }: Pick<Context, 'settings' | 'app'>, text: string): OwnAddress | undefined {
  const base = new URL(wholeAddress(settings, mediaOf(app).addressOf('')))
  const isAddress = /^(?:https?:)?\//i.test(text) && URL.canParse(text, base)
  const url = isAddress ? new URL(text, base) : undefined
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname) || url.username !== '') return undefined
  try {
    const path = decodeURIComponent(url.pathname.slice(base.pathname.length))
    // An escaped slash hides what leads out of the folder.
    return path.split('/').includes('..') ? undefined : { url, path }
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------- reading

async function readMedium(context: Context, { url, path }: OwnAddress): Promise<Uint8Array> {
  const failed = new ApiError('internal_server_error', 'The medium could not be read.', 502)
  const kept = await readStored(context, path)
  if (kept) {
    if (kept.length > maxBytes) throw failed
    return kept
  }
  try {
    const answer = await httpClientOf(context.app).get(url.href, { maxBytes })
    if (answer.status !== 200 || !toOwnAddress(context, answer.url)) throw failed
    return answer.body
  } catch {
    throw failed
  }
}

/** The service throws for what cannot be the path of a file. */
async function readStored({ app }: Context, path: string): Promise<Uint8Array | undefined> {
  try {
    return await mediaOf(app).read(path)
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------- finding

const windowSize = 500

/** A smaller form of a picture is named after it: `pier-300x200.jpg`. */
const sizeInName = /-\d+x\d+(?=\.\w+$)/

/** Two reads for each window: storages find no post by what its meta holds. The one that is named wins over a whole one. */
async function findMediumByPath(storage: Storage, path: string): Promise<number | undefined> {
  const whole = path.replace(sizeInName, '')
  let found: number | undefined
  for (let offset = 0; ; offset += windowSize) {
    const { heads } = await storage.posts.query({
      types: ['attachment'],
      order: { by: 'id', descending: true },
      offset,
      limit: windowSize,
    })
    const files = await storage.meta.read(
      'post',
      heads.map(({ id }) => id),
      [attachedFileKey],
    )
    const exact = files.find(({ value }) => value === path)
    if (exact) return exact.id
    found ??= files.find(({ value }) => value === whole)?.id
    if (heads.length < windowSize) return found
  }
}
