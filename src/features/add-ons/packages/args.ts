/** What names a plugin or theme in a request. */
import { type Arg, identifiers, oneOf, required, str } from '../../../core/declare/args.ts'
import { migratingSlugs, pluginSlugs } from './model.ts'

/** The path always has it; the index does not call it required. */
const given = <T>(inner: Arg<T>) => inner as Arg<T, true>

const slugOf = (slugs: readonly string[]) =>
  identifiers(oneOf(slugs, { description: 'The slug of the plugin.' }), 'package')

export const pluginSlug = given(slugOf(pluginSlugs))
export const migratingSlug = given(slugOf(migratingSlugs))
export const sentPluginSlug = required(slugOf(pluginSlugs))

export const themeSlug = given(identifiers(str({ description: 'The slug of the theme.' }), 'package'))
export const sentThemeSlug = required(
  identifiers(str({ pattern: '[\\w\\-]+', description: 'The slug of the theme in the public directory.' }), 'package'),
)

export const startStatus = oneOf(['inactive', 'active'], {
  default: 'inactive',
  description: 'The activation status after the installation.',
})
