/** The file of a document: JSON with references in place of ids, which any site can read. Several are a zip archive. */

import type { Json } from '../../../contract/storage.ts'
import { ApiError, isApiError } from '../../../core/declare/errors.ts'
import { checkedJson } from '../../../core/request/body.ts'
import { readZip, writeZip, ZipError } from '../../../services/zip.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { type DocumentKind, kindNames } from './kinds.ts'

const format = 'site-api/document'
const version = 1

/** A document as a file has it. */
export interface DocumentFile {
  readonly format: typeof format
  readonly version: typeof version
  /** The name in other files of the same export: `page.welcome`. */
  readonly key: string
  readonly kind: DocumentKind
  readonly type: string
  readonly title: string
  readonly slug: string
  /** Ids are references: `{ "$ref": "media.pier" }`. */
  readonly elements: readonly { readonly [name: string]: Json }[]
  readonly settings: { readonly [name: string]: Json }
  /** For a component: its id in all sites, and the properties that instances may override. */
  readonly uid?: string
  readonly props?: Json
}

export const documentFile = (members: Omit<DocumentFile, 'format' | 'version'>): DocumentFile => ({
  ...{ format, version },
  ...members,
})

const invalidFile = (why: string) =>
  new ApiError('invalid_document_file', `This is no file of a document: ${why}.`, 400)

/** Throws 400 for anything else than a file of a document. Members that are not required may be absent. */
export function parseDocumentFile(value: unknown): DocumentFile {
  if (!isObject(value) || value['format'] !== format) throw invalidFile(`format has to be ${format}`)
  if (value['version'] !== version) throw invalidFile(`version has to be ${version}`)
  const { kind, elements = [], settings = {}, props } = value
  if (!kindNames.includes(kind as DocumentKind)) throw invalidFile(`kind has to be one of ${kindNames.join(', ')}`)
  if (!Array.isArray(elements) || !elements.every(isObject)) throw invalidFile('elements has to be a list of objects')
  if (!isObject(settings)) throw invalidFile('settings has to be an object')
  const uid = textIn(value, 'uid')
  // The casts: the value is JSON, and its members are checked above.
  return documentFile({
    ...{ key: keyIn(value), kind: kind as DocumentKind, type: textIn(value, 'type') },
    ...{ title: textIn(value, 'title'), slug: textIn(value, 'slug') },
    ...{ elements: elements as DocumentFile['elements'], settings: settings as DocumentFile['settings'] },
    ...(uid === '' ? {} : { uid }),
    ...(props === undefined ? {} : { props: props as Json }),
  })
}

/** The key that references and texts contain. */
function keyIn({ key }: BuilderElement): string {
  if (typeof key === 'string' && /^[^\s"'\],]{1,250}$/.test(key)) return key
  throw invalidFile('key has to be a text without blanks')
}

function textIn(value: BuilderElement, name: 'type' | 'title' | 'slug' | 'uid'): string {
  const text = value[name] ?? ''
  if (typeof text !== 'string' || text.length > 1000) throw invalidFile(`${name} has to be a text`)
  return text
}

/** The number of files that an archive may have. */
export const maxFiles = 100
const maxValues = 1_000_000

/** One file for each document, named by its key. */
export const zipOf = (files: readonly DocumentFile[]): Uint8Array =>
  writeZip(
    files.map((file, index) => ({
      name: `${String(index + 1).padStart(3, '0')}-${file.key.replaceAll(/[^\w.-]/g, '-')}.json`,
      bytes: new TextEncoder().encode(`${JSON.stringify(file, null, 2)}\n`),
    })),
  )

/** The documents of an archive. Throws 400 for a file in it that is none. */
export function filesInZip(bytes: Uint8Array): DocumentFile[] {
  try {
    const files = readZip(bytes).filter(({ name }) => /\.json$/i.test(name) && !name.startsWith('__MACOSX/'))
    return files.map(({ name, bytes }) => parseDocumentFile(jsonOf(name, bytes)))
  } catch (error) {
    if (error instanceof ZipError) throw invalidFile(error.message)
    throw error
  }
}

function jsonOf(name: string, bytes: Uint8Array): unknown {
  try {
    return checkedJson(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), maxValues)
  } catch (error) {
    throw isApiError(error) ? error : invalidFile(`${name} is not JSON`)
  }
}
