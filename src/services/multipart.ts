/** Bodies of forms with a file: the fields as texts, the file piece by piece. */
import type { Readable } from 'node:stream'
import { ApiError } from '../core/declare/errors.ts'

interface MultipartForm<F> {
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** What `receive` made of the file; undefined without one. */
  readonly file: F | undefined
}

const fieldLimits = { files: 1, fields: 200, parts: 201, fieldSize: 1024 * 1024, fieldNameSize: 200 }

const broken = () => new ApiError('rest_upload_invalid_form', 'The form with the file is broken or too long.', 400)

/** Gives the part `file` to `receive`; other files are dropped. Throws 400 for a broken form. */
export async function readMultipart<F>(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  receive: (file: AsyncIterable<Uint8Array>, name: string) => Promise<F>,
): Promise<MultipartForm<F>> {
  const { Busboy } = await import('@fastify/busboy')
  let parser: InstanceType<typeof Busboy>
  try {
    parser = new Busboy({ headers: { 'content-type': contentType }, limits: fieldLimits })
  } catch {
    throw broken()
  }
  const fields: [string, string][] = []
  let file: Promise<F> | undefined
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
    if (isCut) fail(broken())
    else fields.push([name, value])
  })
  parser.on('file', (part, stream, name = '') => {
    if (part !== 'file' || file) return void (stream as Readable).resume()
    file = receive(stream as Readable, name)
    // Awaited below; a failure must stop the parser before its end.
    file.catch(fail)
  })
  try {
    await feed(parser, body, () => failure !== undefined)
    await ended
    if (failure) throw failure
    return { fields, file: await file }
  } catch (error) {
    // What was received of the file is no longer wanted.
    await file?.then(dispose, () => undefined)
    throw failure ?? error
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

const dispose = (file: unknown) => (file as { remove?(): Promise<void> }).remove?.()
