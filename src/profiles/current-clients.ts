/** Adds to a profile what front ends of today ask for, beside what older ones do. */
import { type Feature, feature } from '../core/declare/feature.ts'
import { componentsOfClients } from '../features/builder/components/clients.ts'
import { classesOfClients } from '../features/builder/global-classes/clients.ts'
import { globalClassesByLabel } from '../features/builder/global-classes/index.ts'
import { navigationOfClients } from '../features/builder/site-documents/clients.ts'
import { pageType } from '../features/content/content-types/model.ts'

/** Serves what front ends of today ask for besides the interface that `d1` and `d2` publish. */
export const currentClients = feature(
  'current-clients',
  'builder/v1',
  [...classesOfClients, ...componentsOfClients, ...navigationOfClients],
  { contributes: { userCan: [pageType.name] } },
)

/**
 * The features of a profile, with `[{ id, label }]` as the list of global classes that a request without `view` gets: front ends
 * of today expect it, older ones the classes by id. Every other request shows which form its client sends, so that all profiles
 * answer both: `view=labels` or `view=map` of that list, `changes.order` of a save, which then has the changed classes alone, and
 * `componentIds[]` in place of `componentId`.
 *
 * ```ts
 * import { full, profile, withCurrentClients } from 'site-api'
 *
 * export const site = profile({ ...full, features: withCurrentClients(full.features) })
 * ```
 */
export function withCurrentClients<F extends Feature>(features: readonly F[]): readonly F[] {
  // The cast: typed clients know the routes of the profile as it was; the extensions of `api.site` stay as they are.
  return features.map((given) => (given.name === globalClassesByLabel.name ? (globalClassesByLabel as never) : given))
}
