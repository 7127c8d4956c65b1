/** Builder documents for tests of rendering. */

import { blankPost } from '../../src/contract/fields/blank.ts'
import type { Storage } from '../../src/contract/storage.ts'
import type { TestSite } from './site.ts'

export interface DocumentOptions {
  readonly title?: string
  readonly status?: string
  readonly password?: string
  readonly pageSettings?: object
  /** The key of the user who saves it. Default: an administrator. */
  readonly author?: string
}

/** Stores a post with these elements and returns its id. */
export async function storeDocument(
  { api, ids }: TestSite,
  elements: unknown,
  {
    title = 'A built post',
    status = 'publish',
    password = '',
    pageSettings = {},
    author = 'admin',
  }: DocumentOptions = {},
): Promise<number> {
  const { data } = await api.call<{ readonly id: number }>(
    'POST',
    '/cms/v2/posts',
    {
      title,
      status,
      password,
      meta: {
        _builder_edit_mode: 'builder',
        _builder_data: typeof elements === 'string' ? elements : JSON.stringify(elements),
        _builder_page_settings: pageSettings,
      },
    },
    { as: ids[`user.${author}`] ?? 0 },
  )
  return data.id
}

/** The rules of the element `e1`, stored alone in a document. `&` stands for its selector. */
export async function cssOfElement(site: TestSite, element: object): Promise<string> {
  const id = await storeDocument(site, [element])
  const sheets = (await site.api.render.document(id))?.css ?? []
  const own = sheets.find(({ css }) => css.includes('builder-element-e1'))?.css ?? ''
  return own.replaceAll(`.builder-${id} .builder-element.builder-element-e1`, '&')
}

/** Writes `<svg fas-fa-star>` for an icon, and leaves the licences of icons out. */
export const withoutShapes = (html: string): string =>
  html
    .replace(/<svg class="e-font-icon-svg e-([\w-]+)( [\w-]+)?" aria-hidden="true"[^>]*>.*?<\/svg>/gs, '<svg $1$2>')
    .replace(/<!-- Icons: .*? -->/gs, '')

/** A classic widget. */
export const widgetElement = (id: string, widgetType: string, settings: object = {}, elements: unknown[] = []) => ({
  ...{ id, elType: 'widget', widgetType, settings, elements },
})

export const containerElement = (id: string, settings: object, elements: unknown[]) => ({
  ...{ id, elType: 'container', isInner: false, settings, elements },
})

interface TemplateOptions {
  readonly status?: string
  readonly password?: string
  readonly pageSettings?: { readonly [name: string]: string | number }
  /** The id of the user who saves it. */
  readonly author: number
}

let templates = 0

/** Stores a template of a type such as `section`, `loop-item` or `widget` and returns its id. No route writes templates like these. */
export async function storeTemplate(
  storage: Storage,
  type: string,
  elements: unknown,
  { status = 'publish', password = '', pageSettings = {}, author }: TemplateOptions,
): Promise<number> {
  const date = '2024-01-01T00:00:00'
  const [id = 0] = await storage.posts.insert([
    {
      ...{ ...blankPost, type: 'builder_library', status, password, author },
      ...{ slug: `template-${++templates}`, title: `A ${type}` },
      ...{ date, dateGmt: date, modified: date, modifiedGmt: date },
    },
  ])
  await storage.meta.write('post', [
    { id, key: '_builder_edit_mode', value: 'builder' },
    { id, key: '_builder_template_type', value: type },
    { id, key: '_builder_data', value: JSON.stringify(elements) },
    { id, key: '_builder_page_settings', value: pageSettings },
  ])
  return id
}
