/** The style that all pages of a site share: global colors and fonts, variables, classes. Reads it, and writes single values. */
import { isObject } from '../elements.ts'
import type { AgentSite } from './agent-site.ts'
import type { Values } from './task-error.ts'

export type StyleKind = 'color' | 'font' | 'variable' | 'class'

export interface SharedStyle {
  readonly kind: StyleKind
  readonly id: string
  /** Its title or label. */
  readonly name: string
  /** Colors and variables have a text, fonts have settings, classes have variants. */
  readonly value: unknown
}

/** Leaves out what the site has no routes for and what the user may not read. */
export async function sharedStyles(site: AgentSite): Promise<readonly SharedStyle[]> {
  const { routes } = site
  const [globals, variables, classes] = await Promise.all([
    site.tried(routes.ending('get', '/v1/globals'), {}),
    site.tried(routes.ending('get', '/v1/variables/list'), {}),
    readClasses(site),
  ])
  const { colors, typography } = valuesOf(globals?.data)
  const live = entriesOf(valuesOf(valuesOf(variables?.data)['data'])['variables']).filter(
    ([, one]) => one['deleted'] !== true,
  )
  return [
    ...entriesOf(colors).map(([id, one]) => ({
      kind: 'color' as const,
      id,
      name: `${one['title']}`,
      value: one['value'],
    })),
    ...entriesOf(typography).map(([id, one]) => ({
      kind: 'font' as const,
      id,
      name: `${one['title']}`,
      value: one['value'],
    })),
    ...live.map(([id, one]) => ({ kind: 'variable' as const, id, name: `${one['label']}`, value: one['value'] })),
    ...entriesOf(classes.items).map(([id, one]) => ({
      kind: 'class' as const,
      id,
      name: `${one['label']}`,
      value: one['variants'],
    })),
  ]
}

const valuesOf = (value: unknown): Values => (isObject(value) ? value : {})

const entriesOf = (value: unknown): readonly (readonly [id: string, one: Values])[] =>
  Object.entries(valuesOf(value)).flatMap(([id, one]) => (isObject(one) ? [[id, one] as const] : []))

/** Writes all values, classes in one request. */
export async function writeStyles(site: AgentSite, styles: readonly SharedStyle[]): Promise<void> {
  const { routes } = site
  for (const { kind, id, name, value } of styles) {
    if (kind === 'variable') await site.call(routes.ending('post', '/v1/variables/update'), { id, label: name, value })
    else if (kind !== 'class') {
      const end = kind === 'color' ? '/v1/globals/colors/{id}' : '/v1/globals/typography/{id}'
      await site.call(routes.ending('post', end), { id, title: name, value })
    }
  }
  const classes = styles.filter(({ kind }) => kind === 'class')
  if (classes.length > 0) await writeClasses(site, classes)
}

interface Classes {
  readonly items: Values
  readonly order: readonly string[]
}

/** Some sites list the names of the classes, and give the classes by their ids. */
async function readClasses(site: AgentSite): Promise<Classes> {
  const { routes } = site
  const found = await site.tried(routes.ending('get', '/v1/global-classes'), {})
  const { data, meta } = valuesOf(found?.data)
  const { order } = valuesOf(meta)
  // The cast: the ids in their order.
  const ids = Array.isArray(order) ? (order as readonly string[]) : []
  if (!Array.isArray(data) || ids.length === 0) return { items: valuesOf(data), order: ids }
  const styles = await site.tried(routes.ending('get', '/v1/global-classes/styles'), { ids })
  return { items: valuesOf(valuesOf(styles?.data)['data']), order: ids }
}

async function writeClasses(site: AgentSite, changed: readonly SharedStyle[]): Promise<void> {
  const { items: all, order } = await readClasses(site)
  const items = Object.fromEntries(changed.map(({ id, value }) => [id, { ...valuesOf(all[id]), variants: value }]))
  await site.call(site.routes.ending('put', '/v1/global-classes'), {
    changes: { added: [], modified: Object.keys(items), deleted: [] },
    items,
    order,
  })
}

/** Colors are the same in capitals and in their short form. */
export function styleValue(text: string): string {
  const value = text.trim().toLowerCase()
  const [, short] = /^#([\da-f]{3})$/.exec(value) ?? []
  return short === undefined ? value : `#${[...short].map((digit) => digit + digit).join('')}`
}

export const isColor = (text: string): boolean =>
  /^(?:#[\da-f]{3,8}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(.{1,100}\))$/i.test(text.trim())
