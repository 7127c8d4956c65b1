/** Profile `content`: the content of a site without a page builder. */
import { profile } from '../core/declare/profile.ts'
import { contentBase, contentFeatures } from './content-features.ts'
import { inIndexOrder } from './namespaces.ts'

const declared = profile({
  name: 'content',
  gmtOffset: 'number',
  documentation: async () => (await import('./documentation.ts')).documentation(),
  features: inIndexOrder([...contentBase, ...contentFeatures]),
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
