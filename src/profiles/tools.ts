/** Declares the features of every profile that have no routes. */
import { feature } from '../core/declare/feature.ts'
import { createOpenApi } from '../core/describe/openapi/openapi.ts'
import { transfers } from '../management/transfers.ts'
import { docs } from '../pages/docs/index.ts'
import { readZip, writeZip } from '../services/zip.ts'

const siteTransfers = { transfers, readArchive: readZip, writeArchive: writeZip }

/**
 * Brings seeds, exports, imports and kits (`api.site.seed`, `export`, `import`, `kit`), the OpenAPI document and the docs page (the option `docs`). Each profile of
 * this package has them; one of your own that is made of lists of features has them with this list.
 *
 * ```ts
 * import { baseFeatures, contentFeatures, profile, toolFeatures } from 'site-api'
 *
 * const features = [...toolFeatures, ...baseFeatures, ...contentFeatures]
 * export const site = profile({ name: 'site', gmtOffset: 'number', features })
 * ```
 */
export const toolFeatures = [
  feature('transfers', '', [], { services: { transfers: () => siteTransfers } }),
  feature('description', '', [], { services: { description: () => ({ createOpenApi, docs }) } }),
] as const
