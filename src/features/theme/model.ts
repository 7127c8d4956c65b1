/** Which theme is active, and which of its parts its settings switch off. */

import type { Json, Storage } from '../../contract/storage.ts'
import type { AppContext } from '../../core/declare/app-context.ts'
import type { Context } from '../../core/declare/context.ts'
import { warn } from '../../core/declare/result.ts'

declare module '../../core/declare/contributions.ts' {
  interface Contributions {
    /** Reads the installed themes of the site, in the order of the host's catalogue. */
    installedThemes: (context: ReadContext) => Promise<readonly InstalledTheme[]>
    themeParts: ThemePartSettings
  }
}

export interface InstalledTheme {
  readonly slug: string
  readonly name: string
  readonly status: 'inactive' | 'active'
}

/**
 * A part of a page that is the theme's: `base style` are the rules for elements without classes, `style` those for the classes
 * of the theme.
 */
export type ThemePart = 'description' | 'skip link' | 'header and footer' | 'page title' | 'base style' | 'style'

/** The settings of a theme that switch its parts off, by the name of the setting. */
export interface ThemePartSettings {
  readonly theme: string
  /** The options that hold the settings. */
  readonly options: readonly string[]
  /** The settings of a new site. */
  readonly defaults: { readonly [setting: string]: boolean }
  /** Returns the settings that were written. */
  readonly storedIn: (options: { readonly [name: string]: Json }) => { readonly [setting: string]: Json }
}

/** Names the part that each setting of the theme namespaces switches off. */
const partOfSetting: ReadonlyMap<string, ThemePart> = new Map([
  ['description_meta_tag', 'description'],
  ['skip_link', 'skip link'],
  ['header_footer', 'header and footer'],
  ['page_title', 'page title'],
  ['base_style', 'base style'],
  ['theme_style', 'style'],
  ['builder_theme', 'style'],
])

type ReadContext = { readonly storage: Storage; readonly app: AppContext }

/** Returns no themes where the host declares none, or the profile has no packages. */
export async function installedThemes(context: ReadContext): Promise<readonly InstalledTheme[]> {
  const lists = await Promise.all(context.app.contributions('installedThemes').map((read) => read(context)))
  return lists.flat()
}

/**
 * Returns the parts that the active theme leaves to others. Choice: where the host declares no themes, a setting that was
 * written counts, whichever theme it belongs to: what a route stores has an effect.
 */
export async function hiddenThemeParts(context: ReadContext): Promise<ReadonlySet<ThemePart>> {
  const declared = context.app.contributions('themeParts')
  if (declared.length === 0) return new Set()
  const [options, themes] = await Promise.all([
    context.storage.options.read(declared.flatMap(({ options }) => options)),
    installedThemes(context),
  ])
  const active = themes.find(({ status }) => status === 'active')?.slug
  const settings = declared
    .filter(({ theme }) => themes.length === 0 || theme === active)
    .flatMap(({ defaults, storedIn }) =>
      Object.entries({ ...(themes.length === 0 ? {} : defaults), ...storedIn(options) }),
    )
  return new Set(
    settings.flatMap(([name, isOff]) => (isSwitchedOn(isOff) ? (partOfSetting.get(name.toLowerCase()) ?? []) : [])),
  )
}

/** Warns of settings of a theme without an effect: those that switch no part off, and all while another theme is active. */
export async function warnOfUndrawnParts(
  context: ReadContext & Pick<Context, 'warnings'>,
  { theme, keys }: { readonly theme: string; readonly keys: readonly string[] },
): Promise<void> {
  const { names } = context.app
  for (const key of keys.filter((one) => !partOfSetting.has(one.toLowerCase()))) {
    const message = `${names.toPublic(key)} switches no part of a page off.`
    warn(context, { code: 'undrawn_setting', param: `settings.${names.toPublic(key)}`, message })
  }
  const active = (await installedThemes(context)).find(({ status }) => status === 'active')?.slug ?? theme
  if (active === theme) return
  const message = `The theme ${names.toPublic(active)} is active: pages change with these settings once it is ${names.toPublic(theme)}.`
  warn(context, { code: 'theme_not_active', param: 'settings', message })
}

/** Interface: null, 0, '', '0', 'false' and an empty list are false, all else is true. */
export const isSwitchedOn = (value: Json): boolean =>
  Boolean(value) && value !== '0' && value !== 'false' && !(Array.isArray(value) && value.length === 0)
