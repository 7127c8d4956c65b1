/** The namespaces as the site index lists them. */
import { type Feature, feature } from '../core/declare/feature.ts'

const order = [
  '',
  'oembed/1.0',
  'builder-one/v1',
  'builder-theme/v1',
  'builder-theme-plus/v1',
  'builder-theme-biz/v1',
  'builder/v1/documents',
  'builder/v1',
  'builder-pro/v1',
  'builder-ai/v1',
  'builder/v1/feedback',
  'a11y/v1',
  'imgopt/v1',
  'hub-connector/v1',
  'crosssell/v1',
  'cms/v2',
  'cms-site-health/v1',
  'cms-block-editor/v1',
  'cms-abilities/v1',
  'site-api/v1',
]

/** Keeps the order of features within a namespace. */
export function inIndexOrder<F extends Feature>(features: readonly F[]): readonly F[] {
  const placeOf = ({ namespace }: Feature) => order.indexOf(namespace)
  return [...features].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Returns the features with routes that no index of the site lists, for profiles whose index is recorded without them. */
export const unlisted = <const F extends readonly Feature[]>(features: F): F =>
  // The cast: the routes have the same types.
  features.map((one) => ({
    ...one,
    endpoints: one.endpoints.map((declared) => ({ ...declared, unlisted: true })),
  })) as unknown as F

/** Interface: listed with an index that shows no routes. */
export const bareNamespaces = [
  feature('site-health', 'cms-site-health/v1', []),
  feature('block-editor', 'cms-block-editor/v1', []),
  feature('abilities', 'cms-abilities/v1', []),
] as const
