/** Writes icons as svg. Loaded with the first icon. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import type { IconName, Icons } from '../../site/icons.ts'
import { prefixOf, setNames } from './names.ts'
import { givenSets, installedSets, type NodeModule, type Shape } from './sets.ts'
import type { CreateIcons } from './types.ts'

/** The licence of the icons asks for this credit. */
const CREDIT =
  '<!-- Icons: Font Awesome Free by Fonticons, Inc., https://fontawesome.com, CC BY 4.0, https://creativecommons.org/licenses/by/4.0/ -->'

/** The svg has the size and the colour of its text without a sheet. Shapes of version 7 extend beyond their box. */
const ONE_EM = 'width="1em" height="1em" fill="currentColor" overflow="visible"'

const svgOf = ({ width, height, paths }: Shape): string =>
  `${CREDIT}<svg aria-hidden="true" ${ONE_EM} viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">${paths
    .map((path, at) => `<path ${paths.length > 1 && at === 0 ? 'opacity=".4" ' : ''}d="${escapeHtml(path)}"></path>`)
    .join('')}</svg>`

/** Bounds the names that are remembered. Documents of users may name any number of icons that no set has. */
const maxRemembered = 5_000

/** `nodeModule` is passed in: an import of it here would make it one more file of the first import of the package. */
export async function drawnIcons({ sets: given, font = false }: CreateIcons, nodeModule: NodeModule): Promise<Icons> {
  const sets = given ? await givenSets(given) : installedSets(nodeModule)
  const drawn = new Map<string, string | undefined>()
  const draw = (icon: IconName): string | undefined => {
    for (const name of setNames(icon)) {
      const shape = sets.find(name)
      if (shape) return svgOf(shape)
    }
    return font ? `<i class="${escapeHtml(icon.value)}" aria-hidden="true"></i>` : undefined
  }
  const icons = (icon: IconName): string | undefined => {
    const key = `${icon.library} ${icon.value}`
    if (drawn.has(key)) return drawn.get(key)
    if (drawn.size >= maxRemembered) drawn.clear()
    const svg = draw(icon)
    drawn.set(key, svg)
    return svg
  }
  const packageFor = (icon: IconName): string | undefined => {
    const named = prefixOf(icon)
    const prefixes = named === undefined ? setNames(icon).map(({ prefix }) => prefix) : [named]
    return prefixes.map(sets.missing).find((missing) => missing !== undefined)
  }
  return Object.assign(icons, { packageFor })
}
