/** Refuses options that a storage does not have: a misspelt one would be ignored. */
import { nameAdvice } from '../contract/nearest-name.ts'

/** An object type, so that the compiler requires the name of every option. */
type OptionNames<Options> = { readonly [name in keyof Options]-?: true }

/** Throws a TypeError that names the nearest option. `owner` is the function or the option that has them. */
export function checkOptionNames<Options extends object>(
  owner: string,
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(names, name)) continue
    const known = Object.keys(names)
    const advice = known.length === 0 ? 'it has none.' : nameAdvice(name, known, `the options of ${owner}`)
    throw new TypeError(`There is no option ${name} of ${owner}: ${advice}`)
  }
}
