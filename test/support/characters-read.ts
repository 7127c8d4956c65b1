/**
 * How many characters a piece of work reads from texts: what the methods of strings and patterns go over. Tests of a cost
 * that has to be linear compare it for inputs of several lengths, instead of asserting a duration.
 */

type Method = (this: unknown, ...args: never[]) => unknown

/** The characters that one call of each method has read, from its text, its arguments and its result. */
const readBy: { readonly [method: string]: (text: string, args: readonly unknown[], answer: unknown) => number } = {
  at: () => 1,
  charAt: () => 1,
  charCodeAt: () => 1,
  codePointAt: () => 1,
  endsWith: (_text, [end]) => String(end).length,
  includes: (text, [part]) => text.indexOf(String(part)) + 1 || text.length,
  indexOf: (text, [, from], found) => (found === -1 ? text.length : Number(found)) - Number(from ?? 0) + 1,
  match: (text) => text.length,
  replace: (text) => text.length,
  replaceAll: (text) => text.length,
  search: (text) => text.length,
  slice: (_text, _args, part) => String(part).length + 1,
  split: (text) => text.length,
  startsWith: (_text, [start]) => String(start).length,
  toLowerCase: (text) => text.length,
  trim: (text) => text.length,
}

/** A sticky pattern reads what it matches; any other reads from where it begins to the end of its match, or all. */
function readByPattern(pattern: RegExp, text: string, from: number, found: RegExpExecArray | null): number {
  if (found !== null) return found.index + found[0].length - from + 1
  return pattern.sticky ? 1 : text.length - from
}

export function charactersRead(work: () => unknown): number {
  let count = 0
  const restore: (() => void)[] = []
  const { exec } = RegExp.prototype

  for (const [name, read] of Object.entries(readBy)) {
    // The cast: only names of methods are listed.
    const strings = String.prototype as unknown as { [name: string]: Method }
    const original = strings[name] as Method
    strings[name] = function (...args) {
      const answer = original.apply(this, args)
      const text = String(this)
      // The counting itself is not counted.
      if (!isCounting) {
        isCounting = true
        count += Math.max(0, read(text, args, answer))
        isCounting = false
      }
      return answer
    }
    restore.push(() => {
      strings[name] = original
    })
  }
  let isCounting = false
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    if (!isCounting) count += readByPattern(this, text, from, found)
    return found
  }
  restore.push(() => {
    RegExp.prototype.exec = exec
  })

  try {
    work()
  } finally {
    for (const undo of restore) undo()
  }
  return count
}
