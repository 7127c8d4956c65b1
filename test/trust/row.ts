/** A row of the table of figures has a promise, its measurement, and the figure. */

export interface Figure {
  /** The measured figure. */
  readonly figure: string
  /** Undefined: it could not be measured on this machine; `figure` says why. */
  readonly isMet: boolean | undefined
}

export interface Row {
  /** The name for `--only`. */
  readonly name: string
  readonly what: string
  readonly bound: string
  /** How much is done: runs, seconds, slices, as `unit` says. 0: nothing, the form leaves the row out. */
  readonly size: { readonly short: number; readonly long: number; readonly unit: string }
  run(size: number, say: (line: string) => void): Promise<Figure>
}
