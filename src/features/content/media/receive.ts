/** The body that makes a medium: a file in the body, a form with a file, or the address of one. */
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { ReceivedBody } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Limits } from '../../../core/declare/limits.ts'
import type { Incoming } from '../../../core/declare/request.ts'
import { parseForm } from '../../../core/request/query-string.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { detectFile } from '../../../services/file-types.ts'
import { type HttpDownload, httpClientOf } from '../../../services/http-client/index.ts'
import { readMultipart } from '../../../services/multipart/index.ts'
import type { TemporaryFile } from '../../../services/temporary-file.ts'
import { dispositionName, portableTitleOfFile, safeFileName, titleOfFile } from '../../../site/file-name.ts'
import type { LocalFile } from './drafts.ts'
import { noUpload } from './model.ts'
import { cleanedSvg, isSvg, svgFile } from './svg.ts'

/** A file that has arrived, or will when it is taken. The taker removes it. */
export interface Upload {
  readonly kind: 'raw' | 'form' | 'address'
  take(): Promise<{ readonly name: string; readonly file: TemporaryFile }>
}

interface CheckedFile extends LocalFile {
  /** Portable, with the ending of its content. */
  readonly name: string
  /** The title that the sent name gives; empty: the name gives it. */
  readonly title: string
  remove(): Promise<void>
}

const noData = () => new ApiError('rest_upload_no_data', 'The body holds no file.', 400)
const noDisposition = () =>
  new ApiError('rest_upload_no_content_disposition', 'The header Content-Disposition is missing.', 400)
const noFormFile = () => new ApiError('rest_upload_unknown_error', 'The form has no file in its part "file".', 400)

/** The error for arguments that name no address of a file: those of a body are then taken for a file without a name. */
export const noUploadIn = (body: unknown) => (body === undefined ? noData() : noDisposition())

const tooLarge = (bytes: number) => () =>
  new ApiError('rest_upload_file_too_big', `The file is larger than ${bytes} bytes.`, 413)

/** The body of the route that creates media; undefined: it holds arguments, such as `url`. */
export async function receiveUpload(
  incoming: Incoming,
  { app, user }: { readonly app: AppContext; readonly user: Actor },
): Promise<ReceivedBody | undefined> {
  if (!incoming.openBody) return undefined
  const type = incoming.header('content-type') ?? ''
  const disposition = incoming.header('content-disposition')
  if (/^multipart\/form-data\b/i.test(type)) {
    // Before the file: who may not upload should not send it.
    if (!user.can('upload_files')) throw noUpload(user)
    return receiveForm(incoming, type, app.limits)
  }
  if (disposition === undefined && isArguments(type)) return undefined
  const upload = takenOnce(rawUpload(incoming, disposition, app.limits))
  const dispose = async () => (await upload.taken?.catch(() => undefined))?.file.remove()
  return { args: undefined, whole: upload, digest: async () => (await upload.take()).file.md5, dispose }
}

/** The digest of an upload may be asked for before or after it is taken. */
function takenOnce({ kind, take }: Upload): Upload & { readonly taken: ReturnType<Upload['take']> | undefined } {
  let taken: ReturnType<Upload['take']> | undefined
  return {
    kind,
    take: () => (taken ??= take()),
    get taken() {
      return taken
    },
  }
}

const isArguments = (type: string) => /^application\/(?:(?:[\w.-]+\+)?json|x-www-form-urlencoded)\b/i.test(type)

/**
 * Interface: one mistake after the other, and of a body that is refused no more is read than whether it has bytes. The type is that of
 * the content.
 */
function rawUpload(incoming: Incoming, disposition: string | undefined, limits: Limits): Upload {
  return {
    kind: 'raw',
    async take() {
      const name = disposition === undefined ? undefined : dispositionName(disposition)
      if (!incoming.mayHaveBody || (name === undefined && (await isEmpty(incoming)))) throw noData()
      if (disposition === undefined) throw noDisposition()
      if (name === undefined) {
        throw new ApiError(
          'rest_upload_invalid_disposition',
          'Content-Disposition has to name the file: attachment; filename="pier.jpg".',
          400,
        )
      }
      const declared = Number(incoming.header('content-length') ?? 0)
      if (declared > limits.uploadBytes) throw tooLarge(limits.uploadBytes)()
      return { name, file: await matchingDigest(await temporaryFileOf(chunksOf(incoming), limits), incoming) }
    },
  }
}

/** The cast: an upload is made for bodies that can be opened. */
const chunksOf = (incoming: Incoming) => (incoming.openBody as NonNullable<Incoming['openBody']>).call(incoming)

async function isEmpty(incoming: Incoming): Promise<boolean> {
  for await (const { length } of chunksOf(incoming)) if (length > 0) return false
  return true
}

async function temporaryFileOf(chunks: AsyncIterable<Uint8Array>, { uploadBytes }: Limits): Promise<TemporaryFile> {
  const { writeTemporaryFile } = await import('../../../services/temporary-file.ts')
  return writeTemporaryFile(chunks, { limitBytes: uploadBytes, tooLarge: tooLarge(uploadBytes) })
}

/** Interface: in hexadecimal. In base64, as its specification says, it is understood too. */
async function matchingDigest(file: TemporaryFile, incoming: Incoming): Promise<TemporaryFile> {
  const sent = incoming.header('content-md5')?.trim()
  if (sent === undefined || sent.toLowerCase() === file.md5 || sent === base64Of(file.md5)) return file
  await file.remove()
  throw new ApiError('rest_upload_hash_mismatch', 'The file does not have this Content-MD5.', 412)
}

const base64Of = (hex: string) =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))))

async function receiveForm(incoming: Incoming, type: string, limits: Limits): Promise<ReceivedBody> {
  let isFirst = true
  let hasFiles = false
  const { fields, files } = await readMultipart(type, chunksOf(incoming), {
    receive: (chunks, { field, name }) => {
      hasFiles = true
      if (field !== 'file' || !isFirst) return undefined
      isFirst = false
      return temporaryFileOf(chunks, limits).then((received) => ({ name, file: received, remove: received.remove }))
    },
  })
  const [file] = files
  const upload: Upload = {
    kind: 'form',
    async take() {
      if (!file) throw hasFiles ? noFormFile() : noData()
      return { name: file.name, file: await matchingDigest(file.file, incoming) }
    },
  }
  const pairs = fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return {
    args: parseForm(pairs.join('&')) as ReceivedBody['args'],
    whole: upload,
    digest: async () => sha256Of(JSON.stringify([file?.name, file?.file.md5, fields])),
    ...(file ? { dispose: file.remove } : {}),
  }
}

/** Fetches a file by its address: through the guarded client, which connects to public addresses only. */
export function addressUpload(app: AppContext, address: string): Upload {
  return {
    kind: 'address',
    async take() {
      const { url, status, chunks, contentType, close } = await fetched(app, address)
      try {
        if (status !== 200) throw new ApiError('rest_upload_url_failed', `The address answered ${status}.`, 400)
        const last = new URL(url).pathname.split('/').at(-1) ?? ''
        const name = /\.\w+$/.test(last) ? decoded(last) : `${decoded(last) || 'file'}.${endingOf(contentType)}`
        return { name, file: await temporaryFileOf(chunks, app.limits).catch(notArrived) }
      } finally {
        close()
      }
    },
  }
}

/** Piece by piece where the client can. */
async function fetched(app: AppContext, address: string): Promise<HttpDownload> {
  const client = httpClientOf(app)
  try {
    if (client.download) return await client.download(address)
    const { body, ...head } = await client.get(address, { maxBytes: app.limits.uploadBytes })
    return { ...head, chunks: oneChunk(body), close: () => undefined }
  } catch (error) {
    return notFetched(error)
  }
}

const notArrived = (error: unknown): never => {
  if ((error as Error).name === 'HttpClientError') return notFetched(error)
  throw error
}

/** One answer for all reasons: callers learn nothing about the network of this machine. */
function notFetched(cause: unknown): never {
  if (cause instanceof ApiError) throw cause
  const message = 'The file could not be fetched from its address.'
  throw Object.assign(new ApiError('rest_upload_url_failed', message, 400), { cause })
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

const endingOf = (contentType: string) => /^image\/(\w+)/.exec(contentType)?.[1] ?? 'txt'

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Interface: forms and other bodies have different codes for the same mistakes. */
const refusedCode = {
  raw: 'rest_upload_sideload_error',
  form: 'rest_upload_unknown_error',
  address: 'rest_upload_sideload_error',
} as const

interface TakeOptions {
  readonly limits: Limits
  /** Whether svg files are taken; they are cleaned. */
  readonly takesSvg: boolean
}

/** Takes the file and checks everything that needs no decoding. A refused file leaves nothing behind. */
export async function takeFile(upload: Upload, { limits, takesSvg }: TakeOptions): Promise<CheckedFile> {
  const taken = await upload.take()
  const { name } = taken
  let { file } = taken
  let extent: LocalFile['extent']
  try {
    if (file.size === 0) throw upload.kind === 'form' ? noFormFile() : noData()
    if (takesSvg && isSvg(name, file.head)) {
      const clean = await cleanedSvg(file, limits)
      await file.remove()
      file = clean.file
      extent = clean.extent
    }
    const detected = detectFile(name, file.head) ?? (extent && svgFile)
    if (detected === undefined) {
      throw new ApiError(
        refusedCode[upload.kind],
        'Files of this kind are not taken, or the name does not fit it.',
        400,
      )
    }
    if (detected.type.startsWith('image/') && file.size > limits.imageBytes) throw tooLarge(limits.imageBytes)()
    const { type, extension } = detected
    // Interface: the file of a form has its name as the title, other bodies have the portable one with its letters.
    const title = upload.kind === 'form' ? titleOfFile(name) : portableTitleOfFile(name)
    return { ...file, type, extension, extent, name: safeFileName(name, detected.extension), title }
  } catch (error) {
    await file.remove()
    throw error
  }
}
