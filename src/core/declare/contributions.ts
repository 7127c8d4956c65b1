/**
 * Features declare contributions for each other, by kind: content types, for example. Core collects them and knows no
 * kind. Features add kinds by declaration merging, beside the code that reads them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add members by declaration merging, which only an interface allows; core itself has none
export interface Contributions {}

export type Contributed = { readonly [K in keyof Contributions]?: readonly Contributions[K][] }

export type ReadContributions = <K extends keyof Contributions>(kind: K) => readonly Contributions[K][]

/** Collects the contributions of these features by kind, in their order; once for each kind. */
export function createContributions(features: readonly { readonly contributes?: Contributed }[]): ReadContributions {
  const collected = new Map<string, readonly unknown[]>()
  return (kind) => {
    const known = collected.get(kind) ?? features.flatMap(({ contributes }) => contributes?.[kind] ?? [])
    collected.set(kind, known)
    // The cast: features contribute to a kind what its declaration says.
    return known as readonly never[]
  }
}
