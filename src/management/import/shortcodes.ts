/** Reports the shortcodes of an import that nothing on this site draws: readers would see them as they are typed. */
import type { Json } from '../../contract/storage.ts'
import type { UnknownShortcodes } from '../context.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

const texts = ['content:encoded', 'excerpt:encoded']
const elements: ReadonlySet<string> = new Set(['_elementor_data', '_builder_data'])
/** JSON has lists of its words, and an escape may follow a name in it. */
const STARTS = /\[(?!(?:true|false|null)\s*[,\]])[a-z][\w-]*[\s\]/\\]/gi

/** More names than any site has; further ones are not reported. */
const maxNames = 500

/** A dynamic tag is stored in the form of a shortcode. */
const TAG = /^\[[a-z]+-tag\s/
const TAG_NAME = /^[a-z]+-tag$/

export class ShortcodeReport {
  readonly #unknownIn: UnknownShortcodes | undefined
  readonly #report: ReportBuilder
  readonly #names = new Map<string, string>()
  /** By name, whether the site may not know a shortcode. */
  readonly #suspects = new Map<string, boolean>()

  constructor(unknownIn: UnknownShortcodes | undefined, report: ReportBuilder) {
    this.#unknownIn = unknownIn
    this.#report = report
  }

  observe({ kind, line, fields, meta }: FileRecord): void {
    if (kind !== 'item' || !this.#unknownIn) return
    const what = fields['title'] ?? ''
    const inTexts = texts.map((name) => fields[name] ?? '')
    const inElements = meta
      .filter(([key]) => elements.has(key))
      .flatMap(([, value]) => (this.#isSuspect(value) ? stringsIn(value) : []))
    for (const text of [...inTexts, ...inElements]) {
      if (!this.#isSuspect(text)) continue
      for (const name of this.#unknownIn(text)) this.#add(name, { line, what })
    }
  }

  /** Most documents have only shortcodes that the site knows: they are not parsed. In JSON shortcodes begin as they do in plain texts. */
  #isSuspect(text: Json): text is string {
    if (typeof text !== 'string' || !text.includes('[')) return false
    for (const [start] of text.matchAll(STARTS)) {
      const name = start.slice(1, -1)
      if (!TAG_NAME.test(name) && this.#isUnknown(name)) return true
    }
    return false
  }

  #isUnknown(name: string): boolean {
    const known = this.#suspects.get(name)
    if (known !== undefined) return known
    // With an attribute, any name is that of a shortcode.
    const found = (this.#unknownIn?.(`[${name} x="1"]`) ?? []).length > 0
    if (this.#suspects.size < maxNames) this.#suspects.set(copyOf(name), found)
    return found
  }

  #add(name: string, place: { readonly line: number; readonly what: string }): void {
    if (!this.#names.has(name)) {
      if (this.#names.size >= maxNames) return
      const copy = copyOf(name)
      this.#names.set(copy, copy)
    }
    this.#report.add('unknown-shortcode', this.#names.get(name) ?? '', place)
  }
}

/** A slice of a long text would keep the whole text in memory. */
const copyOf = (name: string): string => JSON.parse(JSON.stringify(name)) as string

/** The texts of elements, which are JSON in a text. What does not parse is reported with its meta. */
function stringsIn(stored: string): readonly string[] {
  const found: string[] = []
  try {
    const values: unknown[] = [JSON.parse(stored)]
    for (const value of values) {
      if (typeof value === 'string' && value.includes('[') && !TAG.test(value)) found.push(value)
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) values.push(inner)
    }
  } catch {
    return []
  }
  return found
}
