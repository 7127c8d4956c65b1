/** Bounds the work of a render. Content over a limit is left out with a warning; a render over `output` or `rounds` fails. */

export const limits = {
  /** How deep elements may be nested, counted across nested documents. */
  depth: 50,
  /** How many elements of a document are read. What a render may draw is a part of the budget of its request. */
  elements: 10_000,
  /** How many units of work a listed post takes: it has a title, an excerpt, a picture. */
  listedWork: 4,
  /** How many times its own work a render may draw in all rounds. */
  redrawn: 6,
  /** How deep documents may be nested. */
  documents: 10,
  /** How many entries of a repeater or a gallery are drawn. */
  items: 1000,
  /** How many posts a list shows. */
  listed: 100,
  /** How deep blocks that show other rows may be nested in a stored text. */
  blocks: 12,
  /** How deep loops may be nested. */
  loops: 3,
  /** How deep tagged values may be nested. */
  tags: 10,
  /** How often records are read. Each round reads the records that the previous one referred to. */
  rounds: 48,
  /** How many characters of HTML and CSS a render may write. */
  output: 5 * 1024 * 1024,
} as const
