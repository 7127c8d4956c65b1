/** The signs of the typography rule, and the character classes on which they depend. Written from the recordings. */

/** Signs are written as decimal references, so that they survive any encoding of the response. */
export const SIGNS = {
  ampersand: '&#038;',
  apostrophe: '&#8217;',
  closeDouble: '&#8221;',
  ellipsis: '&#8230;',
  emDash: '&#8212;',
  enDash: '&#8211;',
  feet: '&#8242;',
  inches: '&#8243;',
  openDouble: '&#8220;',
  openSingle: '&#8216;',
  times: '&#215;',
  trademark: '&#8482;',
} as const

/** Words without their beginning: they take an apostrophe where another word takes an opening quote. Lower case only. */
export const APOSTROPHE_WORDS: readonly string[] = [
  'bout',
  'cause',
  'em',
  'nuff',
  'round',
  "tain't",
  'til',
  'tis',
  'twas',
  'twere',
  'twill',
]

/** The text of these elements stays as typed. Names match in lower case only. */
export const VERBATIM_ELEMENTS: ReadonlySet<string> = new Set(['code', 'kbd', 'pre', 'script', 'style', 'tt'])

const LETTER = /[\p{L}\p{M}_]/u
const WHITE_SPACE = /\s/

export const isDigit = (sign: string | undefined): boolean => sign !== undefined && sign >= '0' && sign <= '9'

export const isBlank = (sign: string | undefined): boolean =>
  sign !== undefined && (sign === ' ' || sign === '\n' || (sign !== '' && WHITE_SPACE.test(sign)))

export const isLetter = (sign: string | undefined): boolean => sign !== undefined && LETTER.test(sign)

/** Returns whether a quote after the sign opens. After a double quote only single quotes open. */
export const opensAfter = (sign: string): boolean => sign === '(' || sign === '[' || sign === '{' || sign === '-'

/** Counts the steps of a rule, so that a test can show that its cost is linear. */
export interface Work {
  /** Characters and tokens visited. */
  steps: number
}
