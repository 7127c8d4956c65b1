/** Makes the kit of an import that of the site, or reports how the caller can do it. */
import { createNames, type Names } from '../../names/word-map.ts'
import { documentTypeKey, kitRulesOf, kitType, type ManagementContext, settingsKey } from '../context.ts'
import { takeKit } from '../kit.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'
import type { TakenOptions } from './site-values.ts'

interface FoundKit {
  readonly number: number
  readonly line: number
  readonly title: string
  readonly hasSettings: boolean
}

interface WriteOptions {
  readonly isWanted: boolean
  readonly report: ReportBuilder
  /** Finds the row that the source calls by a number; 0: there is none. */
  readonly idOf: (number: number) => number
}

export class KitImport {
  readonly #context: ManagementContext
  readonly #names: Names
  /** The site is empty, and its kit was never changed. */
  readonly isOpen: boolean
  /** The published kits of the source, in its order. */
  readonly #found: FoundKit[] = []

  private constructor(context: ManagementContext, isOpen: boolean) {
    this.#context = context
    this.#names = createNames(context.fileWords)
    this.isOpen = isOpen
  }

  /** Reads before anything is imported whether the site may take a kit: it is empty, and its kit was never changed. */
  static async open(context: ManagementContext): Promise<KitImport> {
    const { posts, options } = context.storage
    const query = { types: ['post', 'page'], order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
    const [{ idsPage }, stored] = await Promise.all([
      posts.query(query),
      options.read(kitRulesOf(context)?.stored ?? []),
    ])
    return new KitImport(context, idsPage.length === 0 && Object.keys(stored).length === 0)
  }

  observe({ kind, line, fields, meta }: FileRecord): void {
    if (kind !== 'item' || fields['wp:status'] !== 'publish') return
    if (this.#names.toNeutral((fields['wp:post_type'] ?? '').trim()) !== kitType) return
    const values = new Map(meta.map(([key, value]) => [this.#names.toNeutral(key), value]))
    if (values.get(documentTypeKey) !== 'kit') return
    const hasSettings = !['', 'a:0:{}', '[]', '{}', undefined].includes(values.get(settingsKey) as string | undefined)
    const number = Number(fields['wp:post_id']) || 0
    this.#found.push({ number, line, title: (fields['title'] ?? '').slice(0, 200), hasSettings })
  }

  /** A file does not say which kit is active: the last one with settings counts. */
  async write({ isWanted, report, idOf }: WriteOptions): Promise<TakenOptions> {
    const rules = kitRulesOf(this.#context)
    const kit = this.#found.findLast(({ hasSettings }) => hasSettings) ?? this.#found.at(-1)
    if (!kit || !rules) return {}
    const id = idOf(kit.number)
    if (id === 0) return {}
    const example = { line: kit.line, what: kit.title }
    if (!isWanted && !this.isOpen) {
      const [idOption = ''] = rules.stored
      const { [idOption]: active } = await this.#context.storage.options.read([idOption])
      if (active !== id) report.add('kit-not-used', String(id), example)
      return {}
    }
    const { problems, undrawn } = await takeKit(this.#context, id)
    for (const setting of problems) report.add('invalid-setting', setting, example)
    for (const setting of undrawn) report.add('undrawn-setting', setting, example)
    return { [rules.stored[0] ?? '']: id }
  }
}
