/** Builder documents for tests of rendering. */
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

/** A classic widget. */
export const widgetElement = (id: string, widgetType: string, settings: object = {}, elements: unknown[] = []) => ({
  ...{ id, elType: 'widget', widgetType, settings, elements },
})

export const containerElement = (id: string, settings: object, elements: unknown[]) => ({
  ...{ id, elType: 'container', isInner: false, settings, elements },
})
