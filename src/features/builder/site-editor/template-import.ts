/** Templates from files: one as JSON, or several in an archive. */

import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { checkedJson } from '../../../core/request/body.ts'
import { readZip } from '../../../services/zip.ts'
import { isObject } from '../../shared/elements/model.ts'
import { createTemplate, type NewTemplate, type Template } from '../template-library/model.ts'

const refused = (why: string) => new ApiError('file', why, 400)

export type ImportCall = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit'>

/** Throws 400 for a file that is none. Interface: what is wrong inside an archive is passed over. */
export async function importTemplates(
  context: ImportCall,
  sent: { readonly fileName: unknown; readonly fileData: unknown },
  types: readonly string[],
): Promise<Template[]> {
  const made: Template[] = []
  for (const template of templatesIn(sent, types)) made.push(await createTemplate(context, template))
  return made
}

function templatesIn(
  { fileName, fileData }: { readonly fileName: unknown; readonly fileData: unknown },
  types: readonly string[],
): NewTemplate[] {
  if (typeof fileName !== 'string' || typeof fileData !== 'string' || fileName === '' || fileData === '') {
    throw refused('The name and the data of a file are needed.')
  }
  const extension = /\.(json|zip)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (extension === undefined) throw refused('Only JSON files and zip archives are taken.')
  const bytes = decoded(fileData)
  return extension === 'json' ? [templateIn(bytes, types)] : templatesInArchive(bytes, types)
}

function decoded(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    throw refused('The data is not base64.')
  }
}

function templatesInArchive(bytes: Uint8Array, types: readonly string[]): NewTemplate[] {
  try {
    return readZip(bytes).flatMap((file) => {
      if (!/\.json$/i.test(file.name) || file.name.startsWith('__MACOSX/')) return []
      try {
        return [templateIn(file.bytes, types)]
      } catch {
        return []
      }
    })
  } catch (error) {
    throw refused(error instanceof Error ? `The archive can not be read: ${error.message}.` : 'This is no archive.')
  }
}

function templateIn(bytes: Uint8Array, types: readonly string[]): NewTemplate {
  const parsed = parse(bytes)
  if (!isObject(parsed)) throw refused('The file holds no template.')
  const { title, type, content, page_settings: pageSettings } = parsed
  if (!Array.isArray(content)) throw refused('The content of the template is no list of elements.')
  if (typeof type !== 'string' || !types.includes(type)) throw refused('The template is of an unknown type.')
  return {
    type,
    // A list is taken as clients send one: an object with numbers for names.
    content: { ...content },
    ...(typeof title === 'string' ? { title } : {}),
    ...(isObject(pageSettings) ? { pageSettings } : {}),
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return checkedJson(JSON.parse(text))
  } catch {
    throw refused('The file is not valid JSON.')
  }
}
