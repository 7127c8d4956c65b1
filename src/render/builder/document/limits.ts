/** What bounds a render. Over most limits the rest is left out with a warning; over the last two the render fails. */

export const limits = {
  /** Depth of elements, all nested documents together. */
  depth: 50,
  /** Elements, all documents together. */
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
  /** Rounds of reading records. Each one reads what the one before made known. */
  rounds: 48,
  /** Characters of HTML and CSS. */
  output: 5 * 1024 * 1024,
  workMs: 2000,
} as const
