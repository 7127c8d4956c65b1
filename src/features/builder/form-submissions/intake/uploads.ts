/** Stores files that visitors send with a form below an unguessable name, and removes them with the submission. */

import type { Context } from '../../../../core/declare/context.ts'
import { invalidArguments } from '../../../../core/declare/errors.ts'
import { randomId } from '../../../../core/runtime/crypto.ts'
import { detectFile } from '../../../../services/file-types.ts'
import { fileAddress, mediaOf, storeFile } from '../../../../services/media.ts'
import { safeFileName } from '../../../../site/file-name.ts'
import { discardPending, reservePaths } from '../../../shared/pending-files.ts'
import type { Form } from './form.ts'

/** A file that has arrived on this machine, or that a program has. */
export interface SentFile {
  /** The id of the field. */
  readonly field: string
  readonly name: string
  readonly size: number
  /** The first 4 kB, which are enough to detect the type of the file. */
  readonly head: Uint8Array
  /** Tells it from another file of the same beginning and size. */
  readonly md5?: string
  chunks(): AsyncIterable<Uint8Array>
}

/** A stored file of an upload field. */
export interface StoredUpload {
  readonly field: string
  readonly path: string
  readonly type: string
  readonly size: number
  readonly address: string
}

export interface KeptUploads {
  readonly files: readonly StoredUpload[]
  readonly paths: readonly string[]
  /** The addresses by field, with a comma between several. */
  readonly values: ReadonlyMap<string, string>
}

export const noUploads: KeptUploads = { files: [], paths: [], values: new Map() }

type FilesContext = Pick<Context, 'storage' | 'app'> & { readonly settings: { readonly url: string } }

/** Stores the files of the form's upload fields, as pending until the submission is stored. Throws 400 for other kinds of files. */
export async function keepUploads(context: FilesContext, form: Form, sent: readonly SentFile[]): Promise<KeptUploads> {
  const planned = sent.map((file) => ({ file, ...planOf(file) }))
  const problems = new Map(planned.flatMap(({ file, path }) => (path === undefined ? [[file.field, refused]] : [])))
  if (problems.size > 0) throw invalidArguments(problems)
  // The paths are there: checked above.
  const kept = planned.flatMap(({ file, path, type }) => (path === undefined ? [] : [{ file, path, type }]))
  const paths = kept.map(({ path }) => path)
  if (paths.length === 0) return noUploads
  await reservePaths(context, paths)
  const media = mediaOf(context.app)
  try {
    for (const { file, path, type } of kept) {
      await storeFile(media, path, { type, size: file.size, chunks: () => file.chunks() })
    }
  } catch (error) {
    await discardPending(context, paths, error)
    throw error
  }
  const files = kept.map(({ file: { field, size }, path, type }): StoredUpload => {
    return { field, path, type, size, address: fileAddress(media, context.settings, path) }
  })
  const addresses = (field: string) => files.filter((file) => file.field === field).map(({ address }) => address)
  return { files, paths, values: new Map(form.fields.map(({ id }) => [id, addresses(id).join(', ')])) }
}

const refused = 'Files of this kind are not taken, or the name does not fit the content.'

function planOf({ name, head }: SentFile): { readonly path: string | undefined; readonly type: string } {
  const detected = detectFile(name, head)
  if (!detected) return { path: undefined, type: '' }
  // 128 random bits.
  const folder = randomId().replaceAll('-', '')
  return { path: `forms/${folder}/${safeFileName(name, detected.extension)}`, type: detected.type }
}
