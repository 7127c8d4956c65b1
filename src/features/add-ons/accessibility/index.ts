/** Accessibility: scanned pages, their remediations, reviews, and usage statistics of the visitors' widget. */
import { feature } from '../../../core/declare/feature.ts'
import { globalEndpoints } from './global-items.ts'
import { versionOption } from './html-cache.ts'
import { itemEndpoints } from './items.ts'
import { createAccessibility } from './management.ts'
import { mediaEndpoints } from './media.ts'
import { overrides, remediations } from './model.ts'
import { dismissals, pageEndpoints, pages } from './pages.ts'
import { reviewEndpoints, reviews } from './reviews.ts'
import { accessibilityCheck } from './scan/check.ts'
import { scansOption, scheduledScans } from './scheduled.ts'
import { settingEndpoints } from './settings.ts'
import { statisticEndpoints, statistics } from './statistics.ts'

export const accessibility = feature(
  'accessibility',
  'a11y/v1',
  [
    ...settingEndpoints,
    ...statisticEndpoints,
    ...mediaEndpoints,
    ...pageEndpoints,
    ...itemEndpoints,
    ...globalEndpoints,
    ...reviewEndpoints,
  ],
  {
    persisted: {
      collections: [
        { collection: remediations, references: { author: 'user' } },
        { collection: overrides, references: { remediation: remediations.name } },
        { collection: pages, references: { post: 'post', term: 'term' } },
        { collection: dismissals, references: { page: pages.name } },
        { collection: statistics },
        { collection: reviews, references: { user: 'user' } },
      ],
      options: [{ name: versionOption }, { name: scansOption }],
    },
    background: scheduledScans,
    contributes: { checks: [accessibilityCheck] },
    siteExtensions: { accessibility: createAccessibility },
  },
)
