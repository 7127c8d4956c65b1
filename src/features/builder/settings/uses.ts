/** Lists the settings of the builder that something reads. A write of another one is kept for its client, and answers so. */

/** `pages`: the pages of the site change with it. `routes`: routes answer with it, and pages stay as they are. */
type SettingUse = 'pages' | 'routes'

/** A name that ends in `*` stands for all that begin so. */
const uses: readonly (readonly [key: string, use: SettingUse, what: string])[] = [
  ['builder_css_print_method', 'pages', '`internal`: pages contain the style sheets of their documents'],
  ['builder_disable_color_schemes', 'pages', '`yes`: widgets without a colour have none of the kit'],
  ['builder_disable_typography_schemes', 'pages', '`yes`: widgets without a typography have none of the kit'],
  ['builder_theme_settings*', 'pages', 'stores the settings of the plain theme'],
  ['builder_theme_biz_settings*', 'pages', 'stores the settings of the theme for businesses'],
  [
    'builder_experiment-*',
    'routes',
    'what a client may offer, `operations/opt-in-v4` too; elements of both generations are always drawn',
  ],
  ['builder_checklist', 'routes', 'stores the progress of the checklist'],
  ['builder_onboarded', 'routes', 'ends the onboarding'],
  ['builder_onboarding_*', 'routes', 'stores the progress and the choices of the onboarding'],
  ['builder_unfiltered_files_upload', 'routes', 'is shown by the settings of accessibility'],
]

export const usedSettings: readonly { readonly key: string; readonly use: SettingUse; readonly what: string }[] =
  uses.map(([key, use, what]) => ({ key, use, what }))

export const isUsedSetting = (key: string): boolean =>
  uses.some(([name]) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name))
