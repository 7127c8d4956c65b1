/** Profile `content`: the content of a site without a page builder. */
import { profile } from '../core/declare/profile.ts'
import { media, mediaAsRecorded } from '../features/content/media/index.ts'
import { baseFeatures, contentFeatures } from './content-features.ts'
import { inIndexOrder } from './namespaces.ts'
import { toolFeatures } from './tools.ts'

// The cast: both have the same routes.
const recordedFeatures = contentFeatures.map((one) =>
  one === media ? mediaAsRecorded : one,
) as unknown as typeof contentFeatures

const declared = profile({
  name: 'content',
  gmtOffset: 'number',
  documentation: async () => (await import('./documentation.ts')).documentation(),
  features: inIndexOrder([...toolFeatures, ...baseFeatures, ...recordedFeatures]),
})

type Declared = typeof declared
/** A name for the type keeps messages and declarations short. */
export interface Content extends Declared {}
/**
 * The content of a site without a page builder.
 *
 * ```ts
 * import { createSiteApi, content } from 'site-api'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * export const api = createSiteApi({ storage: memoryStorage(), profile: content, url: 'https://example.com' })
 * ```
 */
export const content: Content = declared
