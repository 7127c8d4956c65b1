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

/** Whether this is workerd, the runtime of Cloudflare. */
export const isWorkerd = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers'

function probe(): boolean {
  // workerd makes functions from text while a worker starts, and refuses to in every request after that.
  if (isWorkerd()) return false
  try {
    return new Function('return true')() === true
  } catch {
    return false
  }
}
