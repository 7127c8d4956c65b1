/** The arguments of the plugin and theme routes. */
import { type Arg, identifiers, oneOf, required, str } from '../../../core/declare/args.ts'
import { migratingSlugs, pluginSlugs } from './model.ts'

/** Typed as required, because the path always contains it; the index does not list it as required. */
const pathArg = <T>(inner: Arg<T>) => inner as Arg<T, true>

const slugOf = (slugs: readonly string[]) =>
  identifiers(oneOf(slugs, { description: 'The slug of the plugin.' }), 'package')

export const pluginSlug = pathArg(slugOf(pluginSlugs))
export const migratingSlug = pathArg(slugOf(migratingSlugs))
export const newPluginSlug = required(slugOf(pluginSlugs))

export const themeSlug = pathArg(identifiers(str({ description: 'The slug of the theme.' }), 'package'))
export const newThemeSlug = required(
  identifiers(str({ pattern: '[\\w\\-]+', description: 'The slug of the theme in the public directory.' }), 'package'),
)

export const startStatus = oneOf(['inactive', 'active'], {
  default: 'inactive',
  description: 'Whether it is active once it is installed.',
})
