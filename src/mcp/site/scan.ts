/** Reads all pages of a site in windows, with what editors see, for searches and changes everywhere. Bounded. */
import { type AgentSite, type PageRecord, recordOf } from './agent-site.ts'
import type { PageKind } from './site-routes.ts'
import { TaskError, type Values } from './task-error.ts'

const windowSize = 100

/** A scan reads no more pages; `isComplete` is false where the site has more. */
const maxPages = 3000

const members = 'id,type,link,title,status,content,excerpt,meta,featured_media,modified_gmt'

export class Scan {
  /** Pages that were read. */
  pages = 0
  /** Kinds whose texts the user may not edit, so that they were left out. */
  readonly leftOut: string[] = []
  isComplete = true
  readonly #site: AgentSite

  constructor(site: AgentSite) {
    this.#site = site
  }

  async *records(): AsyncGenerator<PageRecord> {
    const { kinds, documentKinds } = this.#site.routes
    for (const kind of kinds) yield* this.#ofKind(kind)
    for (const kind of documentKinds) yield* this.#documents(kind)
  }

  /** Members of an answer that say how much was read. */
  get summary(): Values {
    return {
      pages_read: this.pages,
      ...(this.isComplete ? {} : { incomplete: `Only the first ${maxPages} pages were read.` }),
      ...(this.leftOut.length > 0 ? { left_out: `You may not edit ${this.leftOut.join(', ')}.` } : {}),
    }
  }

  async *#ofKind(kind: PageKind): AsyncGenerator<PageRecord> {
    for await (const row of this.#rows(kind, {
      context: 'edit',
      status: 'any',
      orderby: 'id',
      order: 'asc',
      _fields: members,
    })) {
      const record = recordOf(kind, row)
      if (record.elements || kind.builder) yield record
      else yield await this.#site.withDocument(record)
    }
  }

  async *#documents(kind: PageKind): AsyncGenerator<PageRecord> {
    for await (const { id, is_built: isBuilt } of this.#rows(kind, { kind: kind.documentKind })) {
      if (isBuilt === true) yield await this.#site.pageOf({ kind, id: Number(id) })
    }
  }

  async *#rows(kind: PageKind, args: Values): AsyncGenerator<Values> {
    for (let page = 1; ; page++) {
      const found = await this.#site.tried(kind.list, { ...args, page, per_page: windowSize })
      if (!found) {
        if (page === 1) this.leftOut.push(kind.name)
        return
      }
      // The cast: a list of records.
      const rows = found.data as readonly Values[]
      for (const row of rows) {
        if (this.pages >= maxPages) {
          this.isComplete = false
          return
        }
        this.pages++
        yield row
      }
      if (rows.length < windowSize) return
    }
  }
}

/** Writes several pages, one after the other. Pages that refuse the change are listed; throws where all of them do. */
export async function saveEach<P extends { readonly id: number }>(
  pages: readonly P[],
  save: (page: P) => Promise<void>,
): Promise<{ readonly written: readonly number[]; readonly refused: readonly Values[] }> {
  const written: number[] = []
  const refused: Values[] = []
  let first: TaskError | undefined
  for (const page of pages) {
    try {
      await save(page)
      written.push(page.id)
    } catch (error) {
      if (!(error instanceof TaskError)) throw error
      first ??= error
      refused.push({ id: page.id, code: error.code, message: error.message })
    }
  }
  if (first && written.length === 0) throw first
  return { written, refused }
}
