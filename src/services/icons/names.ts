/** Reads the classes of an icon, such as `fas fa-star`, as names of icons in sets. */
import { lookupTable } from '../../contract/lookup-table.ts'
import type { IconName } from '../../site/icons.ts'
import { version4 } from './version-4.ts'

/** The name of an icon in the set with this prefix: `fas`, `far`, `fab`. */
export interface SetName {
  readonly prefix: string
  readonly name: string
}

const PREFIXES: { readonly [style: string]: string } = lookupTable({
  ...{ fas: 'fas', 'fa-solid': 'fas', solid: 'fas', far: 'far', 'fa-regular': 'far', regular: 'far' },
  ...{ fab: 'fab', 'fa-brands': 'fab', brands: 'fab', fal: 'fal', 'fa-light': 'fal', fat: 'fat', 'fa-thin': 'fat' },
  ...{ fad: 'fad', 'fa-duotone': 'fad', fass: 'fass', 'fa-sharp': 'fass' },
})

const FREE = ['fas', 'fab', 'far']
/** The free set with outlines comes closest to these styles. */
const THIN: ReadonlySet<string> = new Set(['fal', 'fat'])

/** Classes that change how an icon looks, and name none. */
const MODIFIER =
  /^fa-(?:fw|ul|li|border|inverse|spin(?:-reverse|-pulse)?|pulse|beat(?:-fade)?|fade|bounce|shake|flip(?:-\w+)?|rotate-\w+|pull-\w+|stack(?:-\w+)?|layers(?:-\w+)?|classic|width-\w+|2?x?[sl][mg]?|[\d]+x)$/

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const maxLength = 64

/**
 * Returns the names to look for, the most likely first. Choice: an icon that its style does not have is drawn in another one: styles that
 * are sold have the shapes of free ones. Fonts of others often use the same words, so their icons are looked up by their last word.
 */
export function setNames({ library, value }: IconName): readonly SetName[] {
  const classes = value.trim().toLowerCase().split(/\s+/)
  const own = classes.find((name) => name.startsWith('fa-') && !(name in PREFIXES) && !MODIFIER.test(name))
  const name = own === undefined ? lastWord(classes) : own.slice(3)
  if (name === '' || name.length > maxLength || !NAME.test(name)) return []
  const prefix = prefixOf({ library, value })
  const old = isVersion4(classes) ? version4.get(name) : undefined
  return [
    ...(old ? [{ prefix: old[0], name: old[1] }] : []),
    ...(prefix === undefined ? [] : [{ prefix, name }]),
    ...(THIN.has(prefix ?? '') ? [{ prefix: 'far', name }] : []),
    ...FREE.map((each) => ({ prefix: each, name })),
    ...outlined(name),
    ...(own === undefined ? shorter(name) : []),
  ]
}

/** Returns the set that an icon names; undefined for version 4, which had one style, and for fonts of others. */
export function prefixOf({ library, value }: IconName): string | undefined {
  const classes = value.trim().toLowerCase().split(/\s+/)
  if (isVersion4(classes)) return undefined
  return PREFIXES[classes.find((name) => name in PREFIXES) ?? library]
}

const isVersion4 = (classes: readonly string[]): boolean =>
  classes.includes('fa') && !classes.some((name) => name in PREFIXES)

const outlined = (name: string): readonly SetName[] => {
  const old = version4.get(name)
  const renamed = old ? [{ prefix: old[0], name: old[1] }] : []
  return name.endsWith('-o') ? [{ prefix: 'far', name: name.slice(0, -2) }, ...renamed] : renamed
}

/** Returns `phone` of `icon icon-phone`, and `star` of `star`. */
function lastWord(classes: readonly string[]): string {
  const last = classes.at(-1) ?? ''
  const family =
    classes.length > 1 ? `${classes[0]}-` : /^(?:icon|ti|lnr|flaticon|la|bi|ion|dashicons|eicon)-/.exec(last)?.[0]
  return family !== undefined && last.startsWith(family) ? last.slice(family.length) : last
}

/** Names of other fonts end in a variant: `phone-line`, `arrow-right-2`. */
const shorter = (name: string): readonly SetName[] => {
  const stem = name
    .replace(/(?:-(?:line|light|solid|filled|fill|outline|o|alt|bold|thin|regular|\d+))+$/, '')
    .replace(/\d+$/, '')
  return stem === name || stem === '' ? [] : FREE.map((prefix) => ({ prefix, name: stem }))
}
