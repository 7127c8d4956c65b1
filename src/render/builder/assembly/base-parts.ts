/** Chooses the parts of the base sheet that a document needs: those with a rule whose classes are all in its HTML. */
import { type BasePart, type Sheet, toSheet } from '../css/sheets.ts'
import type { PublicName } from '../html/serialize.ts'

/** Translates class names in selectors. */
export const withPublicNames = (css: string, publicName: PublicName | undefined): string =>
  publicName ? css.replace(/(?<=[.#])(?:builder|cms)(?:-[\w-]+)?(?![\w-])/g, publicName) : css

/** The keys of the parts are in cascade order; that of the first is `base`. */
export function createBaseParts(parts: readonly string[], publicName: PublicName | undefined): readonly BasePart[] {
  return parts.flatMap((css, at) => {
    if (css === '') return []
    const sheet = toSheet(at === 0 ? 'base' : `base-${String(at).padStart(3, '0')}`, withPublicNames(css, publicName))
    return { sheet, selectors: selectorsIn(sheet.css) }
  })
}

const preludes = /([^{};]+)\{/g
const classNames = /\.([a-zA-Z_][\w-]*)/g
const keyframe = /^\s*(?:from|to|[\d.]+%)\s*$/

/**
 * Returns the classes of each selector. A comma inside of parentheses parts it too: each half has fewer classes, so a part is never left
 * out because of that.
 */
function selectorsIn(css: string): readonly (readonly string[])[] {
  const found = [...css.matchAll(preludes)].map(([, prelude = '']) => prelude)
  const styles = found.filter((prelude) => !prelude.trimStart().startsWith('@'))
  return styles.flatMap((prelude) =>
    prelude
      .replace(/:not\([^)]*\)/g, '')
      .split(',')
      .filter((selector) => !keyframe.test(selector))
      .map((selector) => [...selector.matchAll(classNames)].map(([, name = '']) => name)),
  )
}

/** Authors write attributes in all forms of HTML. */
const classLists = /\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** Scripts show parts of other pages in place of these: such a document needs all rules. */
const refreshing: ReadonlySet<string> = new Set(['list', 'search'])

export function usedParts(parts: readonly BasePart[], html: string, behaviours: ReadonlySet<string>): Sheet[] {
  if ([...behaviours].some((name) => refreshing.has(name))) return parts.map(({ sheet }) => sheet)
  const found = new Set<string>()
  for (const [, double, single, bare = ''] of html.matchAll(classLists))
    for (const name of (double ?? single ?? bare).split(/\s+/)) found.add(name)
  const isUsed = ({ sheet, selectors }: BasePart) =>
    sheet.key === 'base' || selectors.some((classes) => classes.every((name) => found.has(name)))
  return parts.filter(isUsed).map(({ sheet }) => sheet)
}
