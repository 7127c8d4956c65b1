/** Services for a dry run: a call that would reach outside is noted, and not made. */

import type { Services } from '../../declare/app-context.ts'
import { ApiError } from '../../declare/errors.ts'
import type { OutsideCall } from './report.ts'

/** Notes a call. */
export type NoteCall = (call: OutsideCall) => void

/**
 * Says how a service behaves in a dry run. `as-is`: it reaches nothing outside. A list: only these of its functions do not. A function
 * makes the service that replaces it.
 */
export type DryService = 'as-is' | readonly string[] | ((service: never, note: NoteCall) => unknown)

/** Ends a dry run: only the service outside knows the answer of this call. */
const needsOutside = (service: string, call: string) =>
  new ApiError(
    'rest_dry_run_outside',
    `A dry run does not call ${service}.${call}, which decides what comes next.`,
    503,
  )

/** No function of a service is called that is not listed: it may do anything. */
export function dryServices(
  services: Services,
  dryOnes: { readonly [service: string]: DryService },
  note: NoteCall,
  stop: () => void,
): Services {
  const entries = Object.entries(services).map(([name, service]) => {
    const dryOne = Object.hasOwn(dryOnes, name) ? dryOnes[name] : []
    if (dryOne === 'as-is' || typeof service !== 'object' || service === null) return [name, service]
    if (typeof dryOne === 'function') return [name, dryOne(service as never, note)]
    return [name, refusing(name, service, dryOne ?? [], note, stop)]
  })
  return Object.fromEntries(entries)
}

function refusing(name: string, service: object, kept: readonly string[], note: NoteCall, stop: () => void): object {
  return new Proxy(service, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      if (typeof value !== 'function' || kept.includes(String(member))) {
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (...values: unknown[]) => {
        const [first] = values
        note({ service: name, call: String(member), ...(typeof first === 'string' ? { detail: first } : {}) })
        stop()
        throw needsOutside(name, String(member))
      }
    },
  })
}
