/** Sorts the links of drawn HTML: those to the site, and those to elsewhere. */
import { tagsIn } from './markup.ts'

export interface DrawnLink {
  /** As the HTML has it. */
  readonly value: string
  readonly address: URL
  readonly element: string | undefined
}

interface SortedLinks {
  readonly own: readonly DrawnLink[]
  readonly outside: readonly DrawnLink[]
}

/** Each address once. Fragments of the page itself, mail addresses and the like are left out. */
export function linksIn(html: string, home: string): SortedLinks {
  const own = new Map<string, DrawnLink>()
  const outside = new Map<string, DrawnLink>()
  const base = new URL(`${home}/`)
  for (const { attributes, element } of tagsIn(html, ['a', 'area'])) {
    const value = attributes.get('href') ?? ''
    if (value === '' || value.startsWith('#') || !URL.canParse(value, base)) continue
    const address = new URL(value, base)
    if (!/^https?:$/.test(address.protocol)) continue
    const sorted = address.origin === base.origin ? own : outside
    if (!sorted.has(value)) sorted.set(value, { value, address, element })
  }
  return { own: [...own.values()], outside: [...outside.values()] }
}
