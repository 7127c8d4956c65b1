/** The features of an api: those of its profile, after those that every site has. */
import type { AppContext, CheckHealth } from '../../core/declare/app-context.ts'
import { type Feature, servicesOf } from '../../core/declare/feature.ts'
import type { Profile } from '../../core/declare/profile.ts'
import { healthFeature } from '../../core/describe/health.ts'
import type { createOpenApi } from '../../core/describe/openapi/openapi.ts'
import { indexFeatures } from '../../core/describe/site-index.ts'
import { withResponseCheck } from '../../core/pipeline/response/check.ts'
import { OptionsError } from '../../core/request/option-check.ts'
import type { Route } from '../../core/routing/route.ts'
import { consent } from '../../pages/consent/index.ts'
import type { docs } from '../../pages/docs/index.ts'
import { senderNetwork } from '../sign-in.ts'
import type { SiteApiOptions } from '../site-options.ts'

type OpenApi = ReturnType<typeof createOpenApi>

interface FeatureSources extends Pick<AppContext, 'contributions'> {
  readonly openApi: OpenApi | undefined
  readonly health: CheckHealth
}

/** Describes an api, and shows the description. */
interface Description {
  readonly createOpenApi: typeof createOpenApi
  readonly docs: typeof docs
}

/** The descriptions and pages that features bring. */
interface Brought {
  readonly description?: Description
  readonly historyPage?: Feature
}

// The cast: features bring such values under these names.
const broughtBy = ({ features }: Profile) => servicesOf(features) as Brought

/** Describes the routes in the OpenAPI document; undefined where no feature of the profile brings it. */
export const openApiOf = (routes: () => readonly Route[], profile: Profile): OpenApi | undefined =>
  broughtBy(profile).description?.createOpenApi(routes, profile)

export function withoutOpenApi(): never {
  throw new TypeError('No feature of the profile describes the API: add toolFeatures to its features.')
}

/** The profile's features, after those of every site: the indexes, the consent page, the docs page. */
export function featuresOf(options: SiteApiOptions, { openApi, health, contributions }: FeatureSources) {
  const consentPage = consent({ ...options.consent, networkOf: senderNetwork })
  const { description, historyPage } = broughtBy(options.profile)
  if (options.docs && !description) {
    const problem =
      'docs is true, and no feature of the profile brings the docs page: add toolFeatures to its features.'
    throw new OptionsError('createSiteApi', [problem])
  }
  const pages = [
    consentPage,
    ...(options.docs && description && openApi ? [description.docs(openApi)] : []),
    ...(options.health ? [healthFeature(health)] : []),
    ...(historyPage ? [historyPage] : []),
  ]
  const own = options.profile.features.map((one) =>
    one.completed ? { ...one, endpoints: one.completed(contributions) } : one,
  )
  const features = [...indexFeatures(options.profile), ...pages, ...own]
  return options.checkResponses ? withResponseCheck(features) : features
}

/** For links of one shape, the embedder of the last feature that has one. */
export const embeddersOf = (features: readonly Feature[]) => [
  ...new Map(
    features.flatMap(({ embedders }) => embedders).map((embedder) => [embedder.path.source, embedder]),
  ).values(),
]
