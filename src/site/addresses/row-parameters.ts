/** The parameters of addresses that name a row by its id: `/?p=12`. */
export const rowParameters: ReadonlyMap<string, 'post' | 'term' | 'user'> = new Map([
  ...(['p', 'page_id', 'attachment_id'] as const).map((name) => [name, 'post'] as const),
  ['cat', 'term'],
  ['author', 'user'],
])

/** Matches the query of an address up to the id, in texts and in JSON with escapes. */
export const rowParameterSource = `\\?(?:[^"'<>#\\s\\\\]{0,500}?(?:&|&amp;|&#0?38;))?(${[...rowParameters.keys()].join('|')})=`
