/** Progress of commands: one line on a terminal, and none elsewhere. */
import type { ImportProgress } from '../management/import/index.ts'

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

interface ProgressLine {
  readonly show: (text: string) => void
  readonly clear: () => void
}

export function progressLine(stream: Terminal): ProgressLine | undefined {
  if (!stream.isTTY) return undefined
  return {
    show: (text) => void stream.write(`\r\x1b[K${text} `),
    clear: () => void stream.write('\r\x1b[K'),
  }
}

/** Says how much of a total is done. Work of less than `least` is over before anybody reads of it. */
export function progressOf(
  stream: Terminal,
  doing: string,
  { least = 0, shown = String }: { readonly least?: number; readonly shown?: (count: number) => string } = {},
): ((done: number, total: number) => void) | undefined {
  const line = progressLine(stream)
  return (
    line &&
    ((done, total) => {
      if (total < least) return
      if (done < total) line.show(`${doing} ${shown(done)} of ${shown(total)}`)
      else line.clear()
    })
  )
}

/** `size`: the bytes of the export, where they are known. */
export function importText({ items, bytes, files }: ImportProgress, size?: number): string {
  if (files) return `${files.done} of ${files.total} files`
  return `${items} items, ${megabytes(bytes)}${size === undefined ? '' : ` of ${megabytes(size)}`} MB`
}

export const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)
