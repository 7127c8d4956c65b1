/** Templates from files: one as JSON, or several in an archive. */

import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { checkedJson } from '../../../core/request/body.ts'
import { readZip } from '../../../services/zip.ts'
import { isObject } from '../../shared/elements/model.ts'
import { createTemplate, type NewTemplate, type Template } from '../template-library/model.ts'

const invalidFile = (why: string) => new ApiError('file', why, 400)

export type ImportContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

/** Throws 400 for a file that is none. Interface: what is wrong inside an archive is passed over. */
export async function importTemplates(
  context: ImportContext,
  sent: { readonly fileName: unknown; readonly fileData: unknown },
  types: readonly string[],
): Promise<Template[]> {
  const made: Template[] = []
  for (const template of parseFile(sent, types)) made.push(await createTemplate(context, template))
  return made
}

function parseFile(
  { fileName, fileData }: { readonly fileName: unknown; readonly fileData: unknown },
  types: readonly string[],
): NewTemplate[] {
  if (typeof fileName !== 'string' || typeof fileData !== 'string' || fileName === '' || fileData === '') {
    throw invalidFile('The name and the data of a file are needed.')
  }
  const extension = /\.(json|zip)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (extension === undefined) throw invalidFile('Only JSON files and zip archives are taken.')
  const bytes = decodeBase64(fileData)
  return extension === 'json' ? [parseTemplate(bytes, types)] : parseArchive(bytes, types)
}

function decodeBase64(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
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
  const { title, type, content, page_settings: pageSettings } = parsed
  if (!Array.isArray(content)) throw invalidFile('The content of the template is no list of elements.')
  if (typeof type !== 'string' || !types.includes(type)) throw invalidFile('The template is of an unknown type.')
  return {
    type,
    // A list is taken as clients send one: an object with numbers for names.
    content: { ...content },
    ...(typeof title === 'string' ? { title } : {}),
    ...(isObject(pageSettings) ? { pageSettings } : {}),
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return checkedJson(JSON.parse(text))
  } catch {
    throw invalidFile('The file is not valid JSON.')
  }
}
