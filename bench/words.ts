/** A vocabulary, and searches in it of which no two are equal. */

export const wordCount = 2000

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'to', 'vi', 'zu', 'fa', 'du']

/** A word of ten letters. */
export function wordAt(at: number): string {
  let rest = at * 7919 + 12 ** 3
  let word = ''
  for (let count = 0; count < 5; count++) {
    word += syllables[rest % syllables.length]
    rest = Math.floor(rest / syllables.length)
  }
  return word
}

const cuts: readonly (readonly [from: number, to: number])[] = [
  [0, 10],
  [1, 10],
  [0, 9],
  [1, 9],
  [2, 10],
]

/** Words, then the same without their first or last letters: texts that were not searched before. */
export const searches: readonly string[] = cuts.flatMap(([from, to]) =>
  Array.from({ length: wordCount }, (_, at) => wordAt(at).slice(from, to)),
)
