/** Where in the file a character stands. Counts as the text passes by, so that nothing of it has to be kept. */

export interface Position {
  readonly line: number
  readonly byte: number
}

export interface LineCounter {
  /** The next piece of the file: its text, and how many bytes it was. */
  add(text: string, bytes: number): void
  /** Of a character of the last piece; for one before it, where the piece begins. */
  at(index: number): Position
  /** Characters so far. */
  readonly length: number
}

export function createLineCounter(): LineCounter {
  let text = ''
  let startIndex = 0
  let startByte = 0
  let nextByte = 0
  // Lines are asked for in order, so each character is looked at once.
  let seen = 0
  let line = 1

  const countTo = (end: number) => {
    for (let at = text.indexOf('\n', seen); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++
    seen = Math.max(seen, end)
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
      seen = 0
    },
    at(index) {
      const inside = Math.min(Math.max(index - startIndex, 0), text.length)
      countTo(inside)
      return { line, byte: startByte + new TextEncoder().encode(text.slice(0, inside)).length }
    },
  }
}
