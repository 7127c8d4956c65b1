/** Gives templates out as files, which the library and the site editor take in again: JSON, or several in a zip archive. */

import type { Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { TemplateFile } from '../../../services/templates.ts'
import { writeZip } from '../../../services/zip.ts'
import { elementsKey, isObject, pageSettingsKey, parseElements } from '../../shared/elements.ts'
import { readKit } from '../../shared/kit.ts'
import { classesPart } from '../global-classes/model.ts'
import { variablesPart } from '../variables/model.ts'
import { designOf } from './brought-design.ts'
import type { Template } from './model.ts'

/** The number of files that an archive may have. */
export const maxExported = 100

/** The version of the format, which readers of such files compare. */
const version = '0.4'

interface ExportedTemplate extends TemplateFile {
  readonly version: typeof version
}

/** The files are in the order of the templates. */
export async function templateFiles(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  templates: readonly Template[],
): Promise<ExportedTemplate[]> {
  const [values, classes, variables] = await Promise.all([
    readValues(storage, templates),
    readKit(storage, classesPart),
    readKit(storage, variablesPart),
  ])
  return templates.map(({ post, type }) => {
    const settings = values.get(`${post.id} ${pageSettingsKey}`)
    const content = parseElements(values.get(`${post.id} ${elementsKey}`)) as TemplateFile['content']
    return {
      version,
      title: post.title,
      type: app.names.toPublic(type),
      content,
      page_settings: isObject(settings) ? (settings as TemplateFile['page_settings'] & object) : {},
      ...designOf([content, settings ?? null], classes.live, variables),
    }
  })
}

async function readValues({ meta }: Storage, templates: readonly Template[]) {
  const ids = templates.map(({ post }) => post.id)
  const entries = await meta.read('post', ids, [elementsKey, pageSettingsKey])
  return new Map(entries.map(({ id, key, value }) => [`${id} ${key}`, value]))
}

/** One file for each, in the same order. */
export const zipOfTemplates = (files: readonly ExportedTemplate[], templates: readonly Template[]): Uint8Array =>
  writeZip(
    files.map((file, index) => ({
      name: `${String(index + 1).padStart(3, '0')}-${fileName(templates[index])}.json`,
      bytes: new TextEncoder().encode(`${JSON.stringify(file, null, 2)}\n`),
    })),
  )

export const fileName = (template: Template | undefined): string =>
  template?.post.slug.replaceAll(/[^\w.-]/g, '') || `template-${template?.post.id ?? ''}`
