/** Features as front ends of today ask for them, where that differs from the interface that the profiles publish. */
import type { Feature } from '../core/declare/feature.ts'
import { componentsOfClients } from '../features/builder/components/index.ts'
import { globalClassesOfClients } from '../features/builder/global-classes/index.ts'

const replacements: readonly Feature[] = [componentsOfClients, globalClassesOfClients]

/**
 * The features of a profile with those in place of which front ends of today expect others: global classes are listed as
 * `[{ id, label }]` (with `view=map` as a map), saved with `changes.order` and the changed items alone, and read by document
 * (`global-classes/post`) or id (`global-classes/styles`); properties of components are read for `componentIds[]`.
 *
 * ```ts
 * import { full, profile, withCurrentClients } from 'site-api'
 *
 * export const site = profile({ ...full, features: withCurrentClients(full.features) })
 * ```
 */
export function withCurrentClients<F extends Feature>(features: readonly F[]): readonly F[] {
  // The cast: typed clients know the routes of the profile as it was; the extensions of `api.site` stay as they are.
  return features.map((given) => (replacements.find(({ name }) => name === given.name) as F | undefined) ?? given)
}
