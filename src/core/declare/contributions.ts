/**
 * What features tell each other by declaration, by kind: content types, for example. Core collects it and knows no kind.
 * Features add kinds by declaration merging, beside the code that reads them. Types only.
 */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be merged into, and core names no kind
export interface Contributions {}

export type Contributed = { readonly [K in keyof Contributions]?: readonly Contributions[K][] }
