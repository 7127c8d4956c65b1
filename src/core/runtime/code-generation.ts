/**
 * Whether this runtime makes functions from text. Node with `--disallow-code-generation-from-strings` and edge runtimes do
 * not: there, argument checks are interpreted.
 */

let known: boolean | undefined

/** Found out once per process, never per request. */
export function canGenerateCode(): boolean {
  known ??= probe()
  return known
}

function probe(): boolean {
  // workerd makes functions from text while a worker starts, and refuses to in every request after that.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return false
  try {
    return new Function('return true')() === true
  } catch {
    return false
  }
}
