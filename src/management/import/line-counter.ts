/** The line and byte of a character in the file, counted while the text is streamed. */

export interface Position {
  readonly line: number
  readonly byte: number
}

export interface LineCounter {
  /** Adds the next chunk of the file: its text and its size in bytes. */
  add(text: string, bytes: number): void
  /** The position of a character in the last chunk; for an earlier character, the start of that chunk. */
  at(index: number): Position
  /** Its line alone: to count bytes costs as much as to read them. */
  lineAt(index: number): number
  /** Characters added so far. */
  readonly length: number
}

export function createLineCounter(): LineCounter {
  let text = ''
  let startIndex = 0
  let startByte = 0
  let nextByte = 0
  // Callers ask in ascending order, so each character is scanned once.
  let scanned = 0
  let line = 1

  const countTo = (end: number) => {
    for (let at = text.indexOf('\n', scanned); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++
    scanned = Math.max(scanned, end)
  }

  const offsetOf = (index: number): number => {
    const offset = Math.min(Math.max(index - startIndex, 0), text.length)
    countTo(offset)
    return offset
  }

  return {
    get length() {
      return startIndex + text.length
    },
    add(next, bytes) {
      countTo(text.length)
      startIndex += text.length
      startByte = nextByte
      nextByte += bytes
      text = next
      scanned = 0
    },
    at(index) {
      const offset = offsetOf(index)
      return { line, byte: startByte + new TextEncoder().encode(text.slice(0, offset)).length }
    },
    lineAt(index) {
      offsetOf(index)
      return line
    },
  }
}
