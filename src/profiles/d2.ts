/** Deployment profile D2. */
import { feature } from '../core/declare/feature.ts'
import { profile } from '../core/declare/profile.ts'
import { connections } from '../features/account/connections/index.ts'
import { license } from '../features/account/license.ts'
import { accessibility } from '../features/add-ons/accessibility/index.ts'
import { crossSell } from '../features/add-ons/cross-sell.ts'
import { hubConnector } from '../features/add-ons/hub-connector/index.ts'
import { imagePresets } from '../features/add-ons/image-presets/index.ts'
import { formSubmissions } from '../features/builder/form-submissions/index.ts'
import { globalWidgets } from '../features/builder/global-widgets.ts'
import { liveWidgets } from '../features/builder/live-widgets/index.ts'
import { notes } from '../features/builder/notes/index.ts'
import { siteEditor } from '../features/builder/site-editor/index.ts'
import { pictureParts } from '../features/content/media/optimization/management.ts'
import { inIndexOrder } from './namespaces.ts'
import { shared } from './shared.ts'
import { bizThemeFeatures, plusThemeFeatures } from './themes.ts'
import { classicWidgets } from './widgets.ts'

export const templateTypes = [
  'plus-header',
  'plus-footer',
  'page',
  'section',
  'container',
  'floating-buttons',
  'popup',
  'header',
  'footer',
  'single',
  'single-post',
  'single-page',
  'archive',
  'search-results',
  'error-404',
  'loop-item',
]

/** The features of the add-on, all of them licensed. */
const licensedFeatures = [
  'custom-attributes',
  'custom_code',
  'custom-css',
  'popup',
  'global-widget',
  'form-submissions',
  'editor_comments',
  'role-manager',
]

const addOns = [
  notes,
  formSubmissions(),
  siteEditor({ types: templateTypes }),
  globalWidgets,
  license({ features: licensedFeatures }),
  liveWidgets,
  hubConnector,
  accessibility,
  connections({ namespace: 'a11y/v1', connection: 'accessibility' }),
  crossSell,
] as const

/** Features that only D2 has, besides its themes. */
export const d2Features = [...addOns, imagePresets] as const

/** Without media the presets are those of the pictures that documents bring. */
const documentPictures = feature('image-presets', 'imgopt/v1', imagePresets.endpoints, pictureParts)

const declared = profile({
  name: 'd2',
  gmtOffset: 'number',
  documentation: async () => (await import('./documentation.ts')).documentation(),
  features: inIndexOrder([
    ...shared({
      globalIdPattern: '[\\w]+',
      widgets: classicWidgets,
      feedbackWithCountry: false,
      templateTypes,
      checklistAsksForHeader: false,
    }),
    ...addOns,
    documentPictures,
    ...plusThemeFeatures,
    ...bizThemeFeatures,
  ]),
})

type Declared = typeof declared
/** A name for the type keeps messages and declarations short. */
export interface D2 extends Declared {}
/**
 * Declares the page builder with notes, forms, the site editor and all other features of its add-on.
 *
 * ```ts
 * import { createSiteApi, d2 } from 'site-api'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * export const api = createSiteApi({ storage: memoryStorage(), profile: d2, url: 'https://example.com' })
 * ```
 */
export const d2: D2 = declared
