/** A row of the table of figures: what is promised, how it is measured, and what was seen. */

export interface Figure {
  /** What was seen. */
  readonly figure: string
  /** Undefined: it could not be measured on this machine; `figure` says why. */
  readonly isMet: boolean | undefined
}

export interface Row {
  /** For `--only`. */
  readonly name: string
  readonly what: string
  readonly bound: string
  /** How much is done: runs, seconds, slices, as `unit` says. 0: nothing, the form leaves the row out. */
  readonly size: { readonly short: number; readonly long: number; readonly unit: string }
  run(size: number, say: (line: string) => void): Promise<Figure>
}
