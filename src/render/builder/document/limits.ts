/** Bounds the work of a render. Content over a limit is left out with a warning; a render over `output` or `workMs` fails. */

export const limits = {
  /** Nested elements, counted across nested documents. */
  depth: 50,
  /** Elements of all documents. */
  elements: 10_000,
  /** Documents within documents. */
  documents: 10,
  /** Entries of a repeater or a gallery. */
  items: 1000,
  /** Posts in a list. */
  listed: 100,
  /** Loops within loops. */
  loops: 3,
  /** Tagged values within tagged values. */
  tags: 10,
  /** Rounds of reading records. Each round reads the records that the previous one referred to. */
  rounds: 48,
  /** Characters of HTML and CSS. */
  output: 5 * 1024 * 1024,
  workMs: 2000,
} as const
