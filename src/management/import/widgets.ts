/** Counts the widgets of imported documents by type, so that the report can name the types that the site does not know. */
import type { Json } from '../../contract/storage.ts'
import type { ImportedPost } from './entries/posts.ts'
import type { ReportBuilder } from './report.ts'

const WIDGET = /"widgetType":\s*"([^"\\]{1,64})"/g
const elementsKey = '_builder_data'
/** More types than any site has; widgets of further ones are not counted. */
const maxTypes = 500
const maxPlaces = 3

interface Found {
  count: number
  readonly places: { readonly line: number; readonly what: string }[]
}

/** Returns the types among these that no table of the site has. */
export type UnknownWidgets = (types: readonly string[]) => Promise<readonly string[]>

export class WidgetCounts {
  readonly #types = new Map<string, Found>()

  observe({ entry: { meta = {}, title }, line }: ImportedPost): void {
    const elements: Json | undefined = meta[elementsKey]
    if (elements === undefined) return
    const text = typeof elements === 'string' ? elements : JSON.stringify(elements)
    for (const [, type = ''] of text.matchAll(WIDGET)) this.#add(type, { line, what: title })
  }

  #add(type: string, place: Found['places'][number]): void {
    const found = this.#types.get(type) ?? { count: 0, places: [] }
    if (found.count === 0 && this.#types.size >= maxTypes) return
    // A slice of a long text would keep the whole text in memory.
    if (found.count === 0) this.#types.set(JSON.parse(JSON.stringify(type)) as string, found)
    found.count++
    if (found.places.length < maxPlaces && found.places.at(-1)?.line !== place.line) found.places.push(place)
  }

  async report(report: ReportBuilder, unknownOf: UnknownWidgets): Promise<void> {
    if (this.#types.size === 0) return
    for (const type of await unknownOf([...this.#types.keys()])) {
      const { count, places } = this.#types.get(type) ?? { count: 0, places: [] }
      for (const [index, place] of places.entries()) {
        report.add('unknown-widget', type, place, index === 0 ? count - places.length + 1 : 1)
      }
    }
  }
}
