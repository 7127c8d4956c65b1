/** Writes the files of one run. A file that nothing has touched, and whose links lead where they led, stays as it is. */
import type { Address } from './addresses.ts'
import { type Crawl, replaceReferences } from './crawl.ts'
import type { FileWriter } from './files.ts'
import type { Links } from './links.ts'
import type { FileVisit, KnownVisit, KnownVisits } from './visits.ts'

/** How far a run is. */
export interface StaticProgress {
  readonly doing: 'reading' | 'writing'
  readonly done: number
  /** Grows while pages are read. */
  readonly total: number
}

export interface PlannedFile {
  readonly address: Address
  readonly visit: FileVisit
}

interface RunParts {
  readonly crawl: Crawl
  readonly links: Links
  readonly known: KnownVisits
}

export const notFoundFile = '404.html'

export class Run {
  readonly #crawl: Crawl
  readonly #links: Links
  readonly #known: KnownVisits

  constructor({ crawl, links, known }: RunParts) {
    this.#crawl = crawl
    this.#links = links
    this.#known = known
  }

  async write(
    files: readonly PlannedFile[],
    writer: FileWriter,
    onProgress: (progress: StaticProgress) => void,
  ): Promise<void> {
    const owners = Map.groupBy(files, ({ visit }) => visit.file)
    for (const [done, { address, visit }] of files.entries()) {
      onProgress({ doing: 'writing', done, total: files.length })
      // Of two addresses with one file, the last one writes it.
      const isOwn = owners.get(visit.file)?.length === 1
      if (visit.content === 'bytes') await writer.bytes(visit.file, visit.etag, () => this.#crawl.responseOf(address))
      else if (!(isOwn && this.#isUntouched(address) && writer.keep(visit.file)))
        await this.#writeText(address, visit, writer)
    }
    onProgress({ doing: 'writing', done: files.length, total: files.length })
  }

  /** Writes the page of missing addresses. */
  async writeMissing(address: Address, writer: FileWriter): Promise<void> {
    if (this.#isUntouched(address) && writer.keep(notFoundFile)) return
    const page = await this.#crawl.missingPage(address)
    const replace = this.#links.replacing(address, undefined)
    await writer.text(notFoundFile, replaceReferences(page, 'html', this.#crawl.origin, replace))
  }

  /** Returns all visits, for the next run. */
  visits(): ReadonlyMap<Address, KnownVisit> {
    return new Map(
      [...this.#crawl.seen].map(([address, seen]) => [address, { ...seen, links: this.#linksOf(address) }]),
    )
  }

  async #writeText(address: Address, { file, path, content }: FileVisit, writer: FileWriter): Promise<void> {
    const replace = this.#links.replacing(address, path)
    const text = await this.#crawl.textOf(address)
    await writer.text(file, replaceReferences(text, content, this.#crawl.origin, replace))
  }

  #isUntouched(address: Address): boolean {
    const known = this.#known.get(address)
    return known !== undefined && known.links === this.#linksOf(address)
  }

  #linksOf(address: Address): string {
    return this.#links.digestOf(this.#crawl.seen.get(address)?.targets ?? [])
  }
}
