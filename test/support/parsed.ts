/** The JSON of any route. */
// biome-ignore lint/suspicious/noExplicitAny: tests read the members that they expect, and fail when one is missing
export type Parsed = any
