/** The JSON of any route. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at the members it expects, and fails by one that is not there
export type Parsed = any
