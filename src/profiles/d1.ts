/** Deployment profile D1. */
import { profile } from '../core/declare/profile.ts'
import { designSystem } from '../features/builder/design-system/index.ts'
import { globalClasses } from '../features/builder/global-classes/index.ts'
import { optIn } from '../features/builder/opt-in.ts'
import { variables } from '../features/builder/variables/index.ts'
import { onboarding } from '../features/guidance/onboarding/index.ts'
import { inIndexOrder } from './namespaces.ts'
import { shared } from './shared.ts'
import { plainThemeFeatures } from './themes.ts'
import { atomicWidgets, classicWidgets } from './widgets.ts'

export const templateTypes = ['page', 'section', 'container', 'e-div-block', 'e-flexbox']

/** Features that only D1 has, besides its theme. */
export const d1Features = [globalClasses, variables, onboarding, designSystem, optIn] as const

const declared = profile({
  name: 'd1',
  gmtOffset: 'text',
  documentation: async () => (await import('./documentation.ts')).documentation(),
  features: inIndexOrder([
    ...shared({
      globalIdPattern: '[\\w-]+',
      widgets: [...classicWidgets, ...atomicWidgets],
      feedbackWithCountry: true,
      templateTypes,
      checklistAsksForHeader: true,
    }),
    ...plainThemeFeatures,
    ...d1Features,
  ]),
})

type Declared = typeof declared
/** A name for the type keeps messages and declarations short. */
export interface D1 extends Declared {}
/**
 * The page builder with its free features.
 *
 * ```ts
 * import { createSiteApi, d1 } from 'site-api'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * export const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
 * ```
 */
export const d1: D1 = declared
