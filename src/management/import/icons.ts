/** Finds out which libraries of icons the documents of an import name: the site needs their packages to draw them. */
import type { FileRecord } from './reader.ts'

const LIBRARY = /"library":\s*"(fa-solid|fa-regular|fa-brands)"/g
/** Documents of the first years store icons of version 4 alone: each library may have them. */
const OLD = /"(?:icon|social|icon_active|item_icon)":\s*"fa fa-/
const ALL = ['fa-brands', 'fa-regular', 'fa-solid']

export class IconLibraries {
  readonly #found = new Set<string>()

  observe({ meta }: Pick<FileRecord, 'meta'>): void {
    for (const [, value] of meta) {
      if (this.#found.size === ALL.length) return
      if (typeof value !== 'string' || !value.includes('fa-')) continue
      for (const [, library = ''] of value.matchAll(LIBRARY)) this.#found.add(library)
      if (OLD.test(value)) for (const library of ALL) this.#found.add(library)
    }
  }

  /** Empty where no document names an icon. */
  toList(): readonly string[] {
    return [...this.#found].sort()
  }
}
