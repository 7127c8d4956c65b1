/** Finds out which libraries of icons the documents of an import name: the site needs their packages to draw them. */
import type { FileRecord } from './reader.ts'

/** Documents of the first years store icons of version 4 alone: each library may have them. */
const OLD = /"(?:icon|social|icon_active|item_icon)":\s*"fa fa-/
const ALL = ['fa-brands', 'fa-regular', 'fa-solid']

/** Returns the libraries that a value names. Most values have none of these words, and to search for one costs little. */
function librariesIn(value: string): readonly string[] {
  if (!value.includes('"fa')) return []
  if (value.includes('"fa fa-') && OLD.test(value)) return ALL
  return ALL.filter((library) => value.includes(`"${library}"`) && new RegExp(`"library":\\s*"${library}"`).test(value))
}

export class IconLibraries {
  readonly #found = new Set<string>()

  observe({ meta }: Pick<FileRecord, 'meta'>): void {
    for (const [, value] of meta) {
      if (this.#found.size === ALL.length) return
      if (typeof value === 'string') for (const library of librariesIn(value)) this.#found.add(library)
    }
  }

  /** Empty where no document names an icon. */
  toList(): readonly string[] {
    return [...this.#found].sort()
  }
}
