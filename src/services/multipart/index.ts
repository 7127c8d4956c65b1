/** Reads bodies of forms with files: the fields as texts, the files piece by piece. */
import type { Readable } from 'node:stream'
import { ApiError } from '../../core/declare/errors.ts'

interface MultipartForm<F> {
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The results of `receive`, in the order of the files. */
  readonly files: readonly F[]
}

interface MultipartOptions<F> {
  /** Takes the bytes of a file. Undefined: the file is dropped. */
  readonly receive: (
    file: AsyncIterable<Uint8Array>,
    part: { readonly field: string; readonly name: string },
  ) => Promise<F> | undefined
  /** Returns the error for a broken form. Default: 400 `rest_upload_invalid_form`. */
  readonly broken?: () => ApiError
  /** Default: 200 fields of 1 MiB, and 20 files. */
  readonly limits?: { readonly files: number; readonly fieldBytes: number; readonly allFieldBytes: number }
}

const maxFields = 200
const usualLimits = { files: 20, fieldBytes: 1024 * 1024, allFieldBytes: Number.POSITIVE_INFINITY }

const brokenUpload = () =>
  new ApiError('rest_upload_invalid_form', 'The form with the file is broken or too long.', 400)

/** Rejects for a broken form. What was received until then is disposed of by its function `remove`. */
export async function readMultipart<F extends { remove(): Promise<void> }>(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  { receive, broken = brokenUpload, limits = usualLimits }: MultipartOptions<F>,
): Promise<MultipartForm<F>> {
  const parser = await parserOf(contentType, limits, broken)
  const fields: [string, string][] = []
  const files: Promise<F>[] = []
  let fieldBytes = 0
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    parser.destroy()
  }
  const ended = new Promise<void>((resolve) => {
    parser.on('finish', resolve).on('close', resolve)
    parser.on('error', () => {
      failure ??= broken()
      resolve()
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => fail(broken()))
  })
  parser.on('field', (name, value, _nameCut, isCut) => {
    fieldBytes += value.length
    if (isCut || fieldBytes > limits.allFieldBytes) fail(broken())
    else fields.push([name, value])
  })
  parser.on('file', (field, stream, name = '') => {
    const file = receive(stream as Readable, { field, name })
    if (!file) return void (stream as Readable).resume()
    files.push(file)
    // Awaited below; a failure must stop the parser before its end.
    file.catch(fail)
  })
  try {
    await feed(parser, body, () => failure !== undefined)
    await ended
    if (failure) throw failure
    return { fields, files: await Promise.all(files) }
  } catch (error) {
    // The files that were received are no longer needed.
    await Promise.all(
      files.map((file) =>
        file.then(
          (kept) => kept.remove(),
          () => undefined,
        ),
      ),
    )
    throw failure ?? error
  }
}

async function parserOf(
  contentType: string,
  { files, fieldBytes }: NonNullable<MultipartOptions<never>['limits']>,
  broken: () => ApiError,
) {
  const { Busboy } = await import('./parser.ts')
  const limits = { files, fields: maxFields, parts: maxFields + files, fieldSize: fieldBytes, fieldNameSize: 200 }
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    throw broken()
  }
}

/** Waits for the parser where it is slower than the client. */
async function feed(parser: NodeJS.WritableStream, body: AsyncIterable<Uint8Array>, isOver: () => boolean) {
  for await (const chunk of body) {
    if (isOver()) return
    if (!parser.write(chunk)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          parser.off('drain', go).off('close', go).off('error', go)
          resolve()
        }
        parser.on('drain', go).on('close', go).on('error', go)
      })
    }
  }
  if (!isOver()) parser.end()
}
