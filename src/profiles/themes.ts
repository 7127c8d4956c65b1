/** The features of the theme namespaces, with what is each theme's own. */
import type { Feature } from '../core/declare.ts'
import { adminSettings } from '../features/admin-settings/index.ts'
import { themeAdmin } from '../features/admin-settings/view.ts'
import { promotions } from '../features/promotions.ts'
import { themeSettings } from '../features/theme-settings.ts'
import { whatsNew } from '../features/whats-new.ts'

const plainTheme = 'builder-theme/v1'

export const plainThemeFeatures: readonly Feature[] = [
  promotions({ namespace: plainTheme, endsWhen: 'installed' }),
  adminSettings({ namespace: plainTheme, view: themeAdmin }),
  whatsNew({ namespace: plainTheme }),
  themeSettings({
    namespace: plainTheme,
    setting: 'builder_theme_settings',
    defaults: {
      DESCRIPTION_META_TAG: false,
      SKIP_LINK: false,
      HEADER_FOOTER: false,
      PAGE_TITLE: false,
      BASE_STYLE: false,
      THEME_STYLE: false,
    },
    keeps: 'known',
    answers: 'sent',
  }),
]
