/**
 * Whether a defect of a program has thrown the error, such as a call of an undefined function. `fetch` rejects with a TypeError for a
 * lost connection too, and gives its cause or its code.
 */
export function isProgramError(error: unknown): boolean {
  if (![TypeError, ReferenceError, SyntaxError, RangeError].some((kind) => error instanceof kind)) return false
  const { cause, code } = error as { readonly cause?: unknown; readonly code?: unknown }
  return cause === undefined && (code === undefined || /^ERR_/.test(String(code)))
}
