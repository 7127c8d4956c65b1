/** Lists the templates of the host's catalogue beside those of the site, and serves them as files. */

import type { MaybePromise } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { type CatalogueTemplate, type TemplateFile, type Templates, templatesOf } from '../../../services/templates.ts'
import { noTemplate } from './model.ts'

type CatalogueContext = Pick<Context, 'app'>

/** The characters that an address can hold unchanged. */
const catalogueId = /^[\w.-]{1,100}$/

/** Empty without a catalogue. Throws 502 when it fails. */
export async function listCatalogue(context: CatalogueContext): Promise<readonly CatalogueTemplate[]> {
  const listed = (await ask(context, (templates) => templates.list())) ?? []
  return listed.filter(({ id }) => catalogueId.test(id))
}

/** The categories of its blocks and popups. Those of a catalogue that fails are empty: the list of the site needs none. */
export async function categoriesOf(context: CatalogueContext) {
  const listed = await listCatalogue(context).catch(() => [])
  const of = (type: string) => {
    const categories = listed.flatMap((template) => (template.type === type ? [template.category ?? ''] : []))
    return { categories: [...new Set(categories)].filter((category) => category !== '') }
  }
  return { block: of('block'), popup: of('popup') }
}

/** Throws 404 for a template that the catalogue does not have. */
export async function catalogueFile(context: CatalogueContext, id: string): Promise<TemplateFile> {
  const file = await ask(context, (templates) => templates.get(id))
  if (file === undefined) throw noTemplate()
  return file
}

async function ask<T>(
  { app }: CatalogueContext,
  question: (templates: Templates) => MaybePromise<T>,
): Promise<T | undefined> {
  const templates = templatesOf(app)
  if (templates === undefined) return undefined
  try {
    return await question(templates)
  } catch (error) {
    app.log.error('the catalogue of templates failed', { id: randomId(), error })
    throw new ApiError('templates_unreachable', 'The catalogue of templates could not be read.', 502)
  }
}
