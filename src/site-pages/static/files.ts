/** Writes the files of a site into a folder or another store of files. */
import { joinBytes } from '../../core/runtime/bytes.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'
import { type MediaDriver, removeFile, writeFile, writeSource } from '../../services/media-driver.ts'
import { type Manifest, manifestName } from './manifest.ts'

const keyOf = (file: string): string => file.replaceAll('/', ':')

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

  /** Leaves a file as the last run has written it; false where that run is not known to have done so. */
  keep(file: string): boolean {
    const digest = this.#before.get(file) ?? ''
    if (digest !== '') this.#digests.set(file, digest)
    return digest !== ''
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

  /** `made`: what the next run may take over. */
  async finish(made: Manifest['made']): Promise<void> {
    for (const file of this.#before.keys()) {
      if (this.#digests.has(file)) continue
      await removeFile(this.#files, keyOf(file))
      this.#removed++
    }
    await this.#save(this.#digests, made)
  }

  async #save(digests: Iterable<readonly [file: string, digest: string]>, made?: Manifest['made']): Promise<void> {
    const manifest: Manifest = { files: Object.fromEntries(digests), made }
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
