/** The body of a public form: JSON, URL-encoded or multipart; files go to a private folder of the machine. */
import { ApiError, isApiError } from '../../../../core/declare/errors.ts'
import { checkedJson, collectBytes } from '../../../../core/request/body.ts'
import { checkBodyHeaders } from '../../../../core/request/incoming.ts'
import { readMultipart } from '../../../../services/multipart/index.ts'
import type { SentFile } from './uploads.ts'

/** The sent fields as name and text, in order, and the files of the fields. */
export interface ReceivedForm {
  readonly pairs: readonly (readonly [name: string, text: string])[]
  readonly files: readonly SentFile[]
  /** Removes the received files, once they are stored or refused. */
  dispose(): Promise<void>
}

export interface BodyLimits {
  /** The largest size of all texts together. */
  readonly bodyBytes: number
  /** The bytes of one file. */
  readonly uploadBytes: number
  /** The bytes of all files together. */
  readonly uploadsBytes: number
}

const maxFiles = 20
const withoutFiles = { files: [], dispose: async () => undefined }

/** Throws 400, 413 and 415 for a body that is no form, or too large. */
export async function readFormBody(request: Request, limits: BodyLimits): Promise<ReceivedForm> {
  const { headers } = request
  const type = headers.get('content-type') ?? ''
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isMultipart = mediaType === 'multipart/form-data'
  const largest = limits.bodyBytes + (isMultipart ? limits.uploadsBytes : 0)
  checkBodyHeaders(headers.get('content-encoding'), headers.get('content-length'), largest)
  if (isMultipart) return multipart(request, type, limits)
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  if (!isForm && mediaType !== 'application/json') {
    throw new ApiError('rest_unsupported_media_type', 'A form is sent as a form or as JSON.', 415)
  }
  const bytes = await collectBytes(streamOf(request), limits.bodyBytes)
  if (!isForm) return { pairs: jsonPairs(bytes), ...withoutFiles }
  return { pairs: [...new URLSearchParams(new TextDecoder().decode(bytes))], ...withoutFiles }
}

async function* noBytes(): AsyncIterable<Uint8Array> {}

// The cast: the DOM types have no async iterator for ReadableStream; Node has.
const streamOf = (request: Request) => (request.body as unknown as AsyncIterable<Uint8Array> | null) ?? noBytes()

// ---------------------------------------------------------------- multipart

const tooLarge = (bytes: number) => () =>
  new ApiError('rest_upload_file_too_big', `The files are larger than ${bytes} bytes.`, 413)

async function multipart(
  request: Request,
  type: string,
  { bodyBytes, uploadBytes, uploadsBytes }: BodyLimits,
): Promise<ReceivedForm> {
  let left = uploadsBytes
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      left -= chunk.length
      if (left < 0) throw tooLarge(uploadsBytes)()
      yield chunk
    }
  }
  const { fields, files } = await readMultipart(type, streamOf(request), {
    broken: () => new ApiError('rest_invalid_form', 'The form can not be read, or is too long.', 400),
    limits: { files: maxFiles, fieldBytes: bodyBytes, allFieldBytes: bodyBytes },
    receive: (chunks, { field, name }) => {
      const id = fieldOf(field)
      // A file control without a chosen file sends one without a name.
      if (id === undefined || name === '') return undefined
      return temporaryFileOf(counted(chunks), uploadBytes).then((file) => ({ ...file, field: id, name }))
    },
  })
  const dispose = async () => {
    await Promise.all(files.map((file) => file.remove()))
  }
  return { pairs: fields, files: files.filter(({ size }) => size > 0), dispose }
}

async function temporaryFileOf(chunks: AsyncIterable<Uint8Array>, limitBytes: number) {
  const { writeTemporaryFile } = await import('../../../../services/temporary-file.ts')
  return writeTemporaryFile(chunks, { limitBytes, tooLarge: tooLarge(limitBytes) })
}

const fieldName = /^(?:form_)?fields\[([^[\]]{1,60})\](?:\[\])?$/

/** The id of a field in the name of a control; undefined for other members. */
export const fieldOf = (name: string): string | undefined => fieldName.exec(name)?.[1]

// ---------------------------------------------------------------- JSON

function jsonPairs(bytes: Uint8Array): ReceivedForm['pairs'] {
  let value: unknown
  try {
    value = checkedJson(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch (error) {
    if (isApiError(error)) throw error
    throw new ApiError('rest_invalid_json', 'The body is not valid JSON.', 400)
  }
  if (typeof value !== 'object' || value === null) return []
  const { fields = {}, ...others } = value as { readonly [name: string]: unknown }
  const fieldEntries = Object.entries(typeof fields === 'object' && fields !== null ? fields : {})
  return [
    ...Object.entries(others).flatMap(([name, member]) => textsIn(member).map((text) => [name, text] as const)),
    ...fieldEntries.flatMap(([name, member]) => textsIn(member).map((text) => [`fields[${name}]`, text] as const)),
  ]
}

const textsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((entry) => (Array.isArray(entry) ? [] : textsIn(entry)))
  return ['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : []
}
