/** Writes the files of a site into a folder or another store of files. */
import { parsedJson } from '../../contract/parsed-json.ts'
import { joinBytes } from '../../core/runtime/bytes.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import { type MediaDriver, readFile, removeFile, writeFile, writeSource } from '../../services/media-driver.ts'
import { StaticSiteError } from './crawl.ts'

/** Kept beside the files: what the next run finds unchanged it does not write. */
const manifestName = '.site-api-static.json'

export interface Manifest {
  /** The digest of each file; empty for a file that is to be written again. */
  readonly files: { readonly [file: string]: string }
}

const keyOf = (file: string): string => file.replaceAll('/', ':')

export async function manifestIn(files: MediaDriver): Promise<Manifest> {
  const bytes = await readFile(files, keyOf(manifestName))
  if (bytes === undefined) return { files: {} }
  const manifest = parsed(new TextDecoder().decode(bytes))
  if (manifest && Object.keys(manifest.files).every(isInside)) return manifest
  throw new StaticSiteError(`${manifestName} can not be read: remove it, and all files are written again`)
}

function parsed(text: string): Manifest | undefined {
  const { files } = (parsedJson(text) ?? {}) as Partial<Manifest>
  return typeof files === 'object' && files !== null ? { files } : undefined
}

/** Files that are gone are removed: a changed manifest must not lead to others. */
const isInside = (file: string): boolean => !/(?:^|\/)\.\.?(?:\/|$)|[:\\]/.test(file)

/** Writes what has changed, and removes the files of the last run that are no more. */
export class FileWriter {
  readonly #files: MediaDriver
  readonly #before: ReadonlyMap<string, string>
  readonly #planned: readonly string[]
  readonly #digests = new Map<string, string>()
  #written = 0
  #removed = 0

  /** `planned`: the files of this run. */
  constructor(files: MediaDriver, before: Manifest, planned: readonly string[]) {
    this.#files = files
    this.#planned = planned
    this.#before = new Map(Object.entries(before.files))
  }

  get counts() {
    return { files: this.#digests.size, written: this.#written, removed: this.#removed }
  }

  async text(file: string, text: string): Promise<void> {
    await this.#write(file, sha256Of(text), () => writeFile(this.#files, keyOf(file), new TextEncoder().encode(text)))
  }

  /** Without a validator the bytes are always written. */
  async bytes(file: string, etag: string, open: () => Promise<Response>): Promise<void> {
    await this.#write(file, etag, async () => {
      const { body, headers } = await open()
      const size = Number(headers.get('content-length') ?? Number.NaN)
      const type = headers.get('content-type') ?? 'application/octet-stream'
      const chunks = () => body ?? noBytes()
      if (Number.isNaN(size)) await writeFile(this.#files, keyOf(file), await bytesOf(chunks()))
      else await writeSource(this.#files, keyOf(file), { size, type, chunks })
    })
  }

  async finish(): Promise<void> {
    for (const file of this.#before.keys()) {
      if (this.#digests.has(file)) continue
      await removeFile(this.#files, keyOf(file))
      this.#removed++
    }
    await this.#save(this.#digests)
  }

  async #save(digests: Iterable<readonly [file: string, digest: string]>): Promise<void> {
    const manifest: Manifest = { files: Object.fromEntries(digests) }
    await writeFile(this.#files, keyOf(manifestName), new TextEncoder().encode(`${JSON.stringify(manifest)}\n`))
  }

  async #write(file: string, digest: string, write: () => Promise<void>): Promise<void> {
    this.#digests.set(file, digest)
    if (digest !== '' && this.#before.get(file) === digest) return
    // After a run that ended early, the next one knows its files, and trusts none of them.
    if (this.#written === 0) await this.#save([...this.#before.keys(), ...this.#planned].map((name) => [name, '']))
    await write()
    this.#written++
  }
}

async function* noBytes(): AsyncIterable<Uint8Array> {}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return joinBytes(
    parts,
    parts.reduce((size, { length }) => size + length, 0),
  )
}
