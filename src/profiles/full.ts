/** Profile `full`: D1, D2 and all content in one, with the wider option where D1 and D2 differ. */
import { profile } from '../core/declare/profile.ts'
import { documentFeatures } from '../features/builder/site-documents/index.ts'
import { siteHealth } from '../features/guidance/site-health/index.ts'
import { checkFeatures } from '../features/integration/checks/index.ts'
import { mergeFeatures } from '../features/integration/merging/index.ts'
import { presenceFeatures } from '../features/integration/presence/index.ts'
import { releaseFeatures } from '../features/integration/releases/index.ts'
import { usage } from '../features/integration/usage/index.ts'
import { contentFeatures } from './content-features.ts'
import { currentClients } from './current-clients.ts'
import { d1Features, templateTypes as d1TemplateTypes } from './d1.ts'
import { d2Features, templateTypes as d2TemplateTypes } from './d2.ts'
import { historyFeatures } from './history.ts'
import { inIndexOrder } from './namespaces.ts'
import { shared } from './shared.ts'
import { bizThemeFeatures, plainThemeFeatures, plusThemeFeatures } from './themes.ts'
import { atomicWidgets, classicWidgets } from './widgets.ts'

const declared = profile({
  name: 'full',
  gmtOffset: 'number',
  documentation: async () => (await import('./documentation.ts')).documentation(),
  features: inIndexOrder([
    ...shared({
      globalIdPattern: '[\\w-]+',
      widgets: [...classicWidgets, ...atomicWidgets],
      feedbackWithCountry: true,
      templateTypes: [...new Set([...d1TemplateTypes, ...d2TemplateTypes])],
      checklistAsksForHeader: false,
    }),
    ...d1Features,
    ...d2Features,
    ...plainThemeFeatures,
    ...plusThemeFeatures,
    ...bizThemeFeatures,
    ...contentFeatures,
    currentClients,
    siteHealth,
    ...documentFeatures,
    ...historyFeatures,
    ...mergeFeatures,
    ...presenceFeatures,
    ...releaseFeatures,
    ...checkFeatures,
    usage,
  ]),
})

type Declared = typeof declared
/** A name for the type keeps messages and declarations short. */
export interface Full extends Declared {}
/**
 * All features of `content`, `d1` and `d2`, and `documentFeatures`.
 *
 * ```ts
 * import { createSiteApi, full } from 'site-api'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * export const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
 * ```
 */
export const full: Full = declared
