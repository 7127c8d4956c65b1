/** Imports templates from a file: one template as JSON, or several in a zip archive. */

import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Warning } from '../../../core/declare/result.ts'
import { checkedJson } from '../../../core/request/body.ts'
import { exceededLimit } from '../../../core/request/json-extent.ts'
import { readZip } from '../../../services/zip.ts'
import { isObject } from '../../shared/elements.ts'
import { createTemplate, type NewTemplate, type Template } from '../template-library/model.ts'

/** Decoding, parsing and cleaning a file holds up other requests. Two million letters are a site's templates many times over. */
const maxLetters = 2_000_000
const maxValues = 100_000

const tooLarge = (why: string) => new ApiError('file_too_large', `The file is too large: ${why}.`, 413)

const invalidFile = (why: string) => new ApiError('file', why, 400)

type ImportContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit' | 'warnings'>

/** Throws 400 for an invalid file. Interface: invalid files inside an archive are skipped. */
export async function importTemplates(
  context: ImportContext,
  file: { readonly fileName: unknown; readonly fileData: unknown },
  types: readonly string[],
): Promise<ImportedTemplate[]> {
  const templates: ImportedTemplate[] = []
  for (const template of parseFile(file, types)) {
    const warnings: Warning[] = []
    templates.push({ ...(await createTemplate({ ...context, warnings }, template)), warnings })
  }
  return templates
}

/** A list has no place for warnings, so each template of it names the problems in its elements. */
interface ImportedTemplate extends Template {
  readonly warnings: readonly Warning[]
}

function parseFile(
  { fileName, fileData }: { readonly fileName: unknown; readonly fileData: unknown },
  types: readonly string[],
): NewTemplate[] {
  if (typeof fileName !== 'string' || typeof fileData !== 'string' || fileName === '' || fileData === '') {
    throw invalidFile('The name and the data of a file are needed.')
  }
  if (fileData.length > maxLetters) throw tooLarge(`its data has more than ${maxLetters} letters`)
  const extension = /\.(json|zip)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (extension === undefined) throw invalidFile('Only JSON files and zip archives are taken.')
  const bytes = decodeBase64(fileData)
  return extension === 'json' ? [parseTemplate(bytes, types)] : parseArchive(bytes, types)
}

function decodeBase64(base64: string): Uint8Array {
  try {
    const text = atob(base64)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    return bytes
  } catch {
    throw invalidFile('The data is not base64.')
  }
}

function parseArchive(bytes: Uint8Array, types: readonly string[]): NewTemplate[] {
  try {
    return readZip(bytes).flatMap((file) => {
      if (!/\.json$/i.test(file.name) || file.name.startsWith('__MACOSX/')) return []
      try {
        return [parseTemplate(file.bytes, types)]
      } catch {
        return []
      }
    })
  } catch (error) {
    throw invalidFile(error instanceof Error ? `The archive can not be read: ${error.message}.` : 'This is no archive.')
  }
}

function parseTemplate(bytes: Uint8Array, types: readonly string[]): NewTemplate {
  const parsed = parseJson(bytes)
  if (!isObject(parsed)) throw invalidFile('The file holds no template.')
  const {
    title,
    type,
    content,
    page_settings: pageSettings,
    global_classes: classes,
    global_variables: variables,
  } = parsed
  if (!Array.isArray(content)) throw invalidFile('The content of the template is no list of elements.')
  if (typeof type !== 'string' || !types.includes(type)) throw invalidFile('The template is of an unknown type.')
  return {
    type,
    // In the shape that clients send: an object with numeric keys.
    content: { ...content },
    ...(typeof title === 'string' ? { title } : {}),
    ...(isObject(pageSettings) ? { pageSettings } : {}),
    design: { classes, variables },
  }
}

function parseJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  if (exceededLimit(text, { levels: Number.POSITIVE_INFINITY, values: maxValues })) {
    throw tooLarge(`it holds more than ${maxValues} values`)
  }
  try {
    return checkedJson(JSON.parse(text))
  } catch {
    throw invalidFile('The file is not valid JSON.')
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidFile('The file is not valid JSON.')
  }
}
