/** Reports the shortcodes of an import that nothing on this site draws: readers would see them as they are typed. */
import type { Json } from '../../contract/storage.ts'
import type { UnknownShortcodes } from '../context.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

const texts = ['content:encoded', 'excerpt:encoded']
const elements: ReadonlySet<string> = new Set(['_elementor_data', '_builder_data'])
/** Most texts have none, and JSON has lists of its words. */
const START = /\[(?!(?:true|false|null)\s*[,\]])[a-z][\w-]*[\s\]/]/i

/** More names than any site has; further ones are not reported. */
const maxNames = 500

/** A dynamic tag is stored in the form of a shortcode. */
const TAG = /^\[[a-z]+-tag\s/

export class ShortcodeReport {
  readonly #unknownIn: UnknownShortcodes | undefined
  readonly #report: ReportBuilder
  readonly #names = new Map<string, string>()

  constructor(unknownIn: UnknownShortcodes | undefined, report: ReportBuilder) {
    this.#unknownIn = unknownIn
    this.#report = report
  }

  observe({ kind, line, fields, meta }: FileRecord): void {
    if (kind !== 'item' || !this.#unknownIn) return
    const what = fields['title'] ?? ''
    const inTexts = texts.map((name) => fields[name] ?? '')
    const inElements = meta.filter(([key]) => elements.has(key)).flatMap(([, value]) => stringsIn(value))
    for (const text of [...inTexts, ...inElements]) {
      if (!START.test(text)) continue
      for (const name of this.#unknownIn(text)) this.#add(name, { line, what })
    }
  }

  #add(name: string, place: { readonly line: number; readonly what: string }): void {
    if (!this.#names.has(name)) {
      if (this.#names.size >= maxNames) return
      // A slice of a long text would keep the whole text in memory.
      const copy = JSON.parse(JSON.stringify(name)) as string
      this.#names.set(copy, copy)
    }
    this.#report.add('unknown-shortcode', this.#names.get(name) ?? '', place)
  }
}

/** The texts of elements, which are JSON in a text. What does not parse is reported with its meta. */
function stringsIn(stored: Json): readonly string[] {
  if (typeof stored !== 'string' || !START.test(stored)) return []
  const found: string[] = []
  try {
    JSON.parse(stored, (_, value) => {
      if (typeof value === 'string' && !TAG.test(value)) found.push(value)
      return value
    })
  } catch {
    return []
  }
  return found
}
