/** The progress of an import, on a terminal only. */
import type { ImportProgress } from '../../management/import/index.ts'

interface ProgressLine {
  readonly show: (done: ImportProgress) => void
  readonly clear: () => void
}

/** `size`: the bytes of the export, where they are known. */
export function progressOn(stream: NodeJS.WriteStream, size?: number): ProgressLine | undefined {
  if (!stream.isTTY) return undefined
  return {
    show: (done) => void stream.write(`\r\x1b[K${progressText(done, size)} `),
    clear: () => void stream.write('\r\x1b[K'),
  }
}

function progressText({ items, bytes, files }: ImportProgress, size?: number): string {
  if (files) return `${files.done} of ${files.total} files`
  return `${items} items, ${megabytes(bytes)}${size === undefined ? '' : ` of ${megabytes(size)}`} MB`
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
