/**
 * Media of this site: the alternative text, and the contents of text files such as SVG. Other sites are never
 * requested.
 */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { can } from '../../../core/declare/permissions.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { httpClientOf } from '../../../services/http-client/index.ts'
import { mediaOf, wholeAddress } from '../../../services/media.ts'
import { alternativeTextKey, attachedFileKey } from '../../../site/post-keys.ts'
import { success } from '../../shared/success.ts'
import { lengths, optionalText, textOf, undeclaredArgs } from './args.ts'
import { mediumSchema, message, messageSchema } from './view.ts'

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
    summary: 'Read a text file of the library, such as an SVG',
    permission,
    // No transaction while the file is requested from the host.
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
    summary: 'Set the alternative text of a medium',
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

/** The text of a JSON string that was sent without the JSON content type. */
function unquote(text: string): string {
  const quoted = /^"([^"\\]*)"$/.exec(text)
  return quoted?.[1] ?? text
}

interface OwnAddress {
  readonly url: URL
  /** Relative to the uploads folder. */
  readonly path: string
}

/** Undefined for addresses outside of the uploads folder. */
function toOwnAddress({ settings, app }: Pick<Context, 'settings' | 'app'>, text: string): OwnAddress | undefined {
  const base = new URL(wholeAddress(settings, mediaOf(app).addressOf('')))
  const isAddress = /^(?:https?:)?\//i.test(text) && URL.canParse(text, base)
  const url = isAddress ? new URL(text, base) : undefined
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname) || url.username !== '') return undefined
  try {
    const path = decodeURIComponent(url.pathname.slice(base.pathname.length))
    // Checked after decoding: an escaped slash can hide `..` segments.
    return path.split('/').includes('..') ? undefined : { url, path }
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------- reading

async function readMedium(context: Context, { url, path }: OwnAddress): Promise<Uint8Array> {
  const failed = new ApiError('internal_server_error', 'The medium could not be read.', 502)
  const stored = await readStored(context, path)
  if (stored) {
    if (stored.length > maxBytes) throw failed
    return stored
  }
  try {
    const response = await httpClientOf(context.app).get(url.href, { maxBytes })
    if (response.status !== 200 || !toOwnAddress(context, response.url)) throw failed
    return response.body
  } catch {
    throw failed
  }
}

/** Undefined for unreadable files; the media service throws for invalid paths. */
async function readStored({ app }: Context, path: string): Promise<Uint8Array | undefined> {
  try {
    return await mediaOf(app).read(path)
  } catch {
    return undefined
  }
}

// ---------------------------------------------------------------- lookup

const windowSize = 500

/** The size suffix of a smaller image: `pier-300x200.jpg`. */
const sizeInName = /-\d+x\d+(?=\.\w+$)/

/**
 * Reads attachments in windows of 500, two reads each, because storages cannot query posts by meta. An exact match wins
 * over the original of a resized image.
 */
async function findMediumByPath(storage: Storage, path: string): Promise<number | undefined> {
  const original = path.replace(sizeInName, '')
  let originalId: number | undefined
  for (let offset = 0; ; offset += windowSize) {
    const { idsPage } = await storage.posts.query({
      types: ['attachment'],
      order: { by: 'id', descending: true },
      offset,
      limit: windowSize,
    })
    const files = await storage.meta.read(
      'post',
      idsPage.map(({ id }) => id),
      [attachedFileKey],
    )
    const exact = files.find(({ value }) => value === path)
    if (exact) return exact.id
    originalId ??= files.find(({ value }) => value === original)?.id
    if (idsPage.length < windowSize) return originalId
  }
}
