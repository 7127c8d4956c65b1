/** `api.site.kit`: the design of the site as a whole. */
import type { Json } from '../contract/storage.ts'
import { documentTypeKey, kitRulesOf, kitType, type ManagementContext, settingsKey } from './context.ts'
import type { KitExportOptions } from './kit-export/index.ts'

/** `api.site.kit`: colours, fonts, widths, buttons, form fields, breakpoints and custom CSS of the whole site. */
export interface SiteKit {
  /**
   * Makes a stored kit document, such as one that an import has brought, the kit of the site. `problems` names the settings of which
   * something could not be taken over, `undrawn` those that change no page. Rejects with a TypeError for an id that is no kit.
   *
   * ```ts
   * await api.site.kit.use(12)
   * ```
   */
  use(id: number): Promise<{ readonly problems: readonly string[]; readonly undrawn: readonly string[] }>
  /**
   * The site as a site kit, a zip archive that `api.site.import` takes: its design, published templates with conditions, pages, posts,
   * terms, menus, records of media and the front page; no users, comments, drafts or files. Rejects with a KitExportError for a site that
   * no import would take: of more than 10,000 items or 2,000 documents, or larger than 64 MB.
   *
   * ```ts
   * await writeFile('kit.zip', await api.site.kit.export())
   * ```
   */
  export(options?: KitExportOptions): Promise<Uint8Array<ArrayBuffer>>
}

export const createKit = (context: ManagementContext): Pick<SiteKit, 'use'> => ({ use: (id) => takeKit(context, id) })

export async function takeKit(context: ManagementContext, id: number): ReturnType<SiteKit['use']> {
  await context.ready()
  const settings = await kitSettings(context, id)
  if (!settings) throw new TypeError(`there is no kit ${id}`)
  return writeKit(context, id, settings)
}

type Settings = { readonly [name: string]: Json }

/** Undefined for a row that is no kit. */
async function kitSettings({ storage }: ManagementContext, id: number): Promise<Settings | undefined> {
  const [post] = await storage.posts.read([id])
  if (post?.type !== kitType || post.status === 'trash') return undefined
  const meta = await storage.meta.read('post', [id], [documentTypeKey, settingsKey])
  const values = new Map(meta.map(({ key, value }) => [key, value]))
  if (values.get(documentTypeKey) !== 'kit') return undefined
  const settings = values.get(settingsKey)
  const isObject = typeof settings === 'object' && settings !== null && !Array.isArray(settings)
  return isObject ? (settings as Settings) : {}
}

/** The caller acts for the host, who may write any CSS. */
async function writeKit(context: ManagementContext, id: number, settings: Settings) {
  const rules = kitRulesOf(context)
  if (!rules) throw new TypeError('the profile of this site has no kit')
  const problems = new Set<string>()
  const { options, changed } = await rules.optionsOf({ id, settings, mayStyle: true }, (setting) =>
    problems.add(setting),
  )
  await context.write(async (transaction, queue) => {
    await transaction.options.write(options)
    for (const item of changed) queue('globals.changed', item)
    queue('site.changed', { options: Object.keys(options) })
  })
  return { problems: [...problems], undrawn: (await context.undrawnKitSettings?.(settings)) ?? [] }
}
