/** Strings as a server gets them from its parser: slices of one longer text, new with each call. */
export function freshSlices(prefix: string, texts: readonly string[]): () => readonly string[] {
  const text = Buffer.from(`${prefix}${texts.join('')}`).toString('latin1')
  let end = prefix.length
  const ranges = texts.map(({ length }) => {
    end += length
    return [end - length, end] as const
  })
  return () => ranges.map(([from, to]) => text.slice(from, to))
}
