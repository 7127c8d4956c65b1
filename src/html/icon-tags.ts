/**
 * Finds empty elements that a font of icons would fill, such as `<i class="fa fa-phone"></i>` in a text, and puts an svg into
 * each. The element stays, so that its classes and styles still apply.
 */

const TAG = /<(i|span|em)\b([^<>]*)>(?:\s|&nbsp;)*<\/\1>/g
const CLASS = /\bclass\s*=\s*(?:"([^"]*)"|'([^']*)')/
const STYLE = /^(?:fa[srlbdt]?|fa-(?:solid|regular|brands|light|thin|duotone|sharp|sharp-duotone)|eicon)$/
const NAME = /^(?:fa|eicon)-[\w-]+$/

/** Returns the classes of the icon, without those of the page; undefined for an element that is none. */
function iconClasses(attributes: string): string | undefined {
  const [, quoted, single = ''] = CLASS.exec(attributes) ?? []
  const classes = (quoted ?? single).split(/\s+/).filter((name) => STYLE.test(name) || NAME.test(name))
  const hasStyle = classes.some((name) => STYLE.test(name) || name.startsWith('eicon-'))
  return hasStyle && classes.some((name) => NAME.test(name)) ? classes.join(' ') : undefined
}

/** Returns the icons of a text, each once. */
export function iconsIn(html: string): ReadonlySet<string> {
  const found = new Set<string>()
  if (!html.includes('fa-') && !html.includes('eicon-')) return found
  for (const [, , attributes = ''] of html.matchAll(TAG)) {
    const classes = iconClasses(attributes)
    if (classes !== undefined) found.add(classes)
  }
  return found
}

/** `draw` returns the svg of an icon; undefined leaves the element as it is. */
export const withIcons = (html: string, draw: (classes: string) => string | undefined): string =>
  html.replace(TAG, (whole, name: string, attributes: string) => {
    const classes = iconClasses(attributes)
    const svg = classes === undefined ? undefined : draw(classes)
    return svg === undefined ? whole : `<${name}${attributes}>${svg}</${name}>`
  })
