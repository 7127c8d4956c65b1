/** Declares the features of the theme namespaces, with the options of each theme. */

import { promotions } from '../features/guidance/promotions.ts'
import { whatsNew } from '../features/guidance/whats-new.ts'
import { bizThemeAdmin, bizThemeSchema } from '../features/theme/admin-settings/biz-view.ts'
import { adminSettings } from '../features/theme/admin-settings/index.ts'
import { themeAdmin, themeSchema } from '../features/theme/admin-settings/view.ts'
import { installConfirmation } from '../features/theme/install-confirmation.ts'
import { themeOnboarding } from '../features/theme/theme-onboarding.ts'
import { themeSettings } from '../features/theme/theme-settings.ts'

const plainTheme = 'builder-theme/v1'

export const plainThemeFeatures = [
  promotions({ namespace: plainTheme, endsWhen: 'installed' }),
  adminSettings({ namespace: plainTheme, view: themeAdmin, schema: themeSchema }),
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
    stores: 'declared',
    responds: 'input',
  }),
] as const

const plusTheme = 'builder-theme-plus/v1'

export const plusThemeFeatures = [
  themeOnboarding({ namespace: plusTheme }),
  whatsNew({ namespace: plusTheme }),
] as const

const bizTheme = 'builder-theme-biz/v1'

export const bizThemeFeatures = [
  promotions({ namespace: bizTheme, endsWhen: 'active' }),
  adminSettings({ namespace: bizTheme, view: bizThemeAdmin, schema: bizThemeSchema, createsFirstPage: true }),
  themeSettings({
    namespace: bizTheme,
    setting: 'builder_theme_biz_settings',
    defaults: {
      skip_link: false,
      header_footer: false,
      page_title: true,
      builder_theme: false,
      description_meta_tag: false,
    },
    stores: 'all',
    responds: 'all',
    pluginFlag: { member: 'builder_theme_plus_active', activePlugin: 'builder-theme-plus' },
  }),
  whatsNew({ namespace: bizTheme }),
  installConfirmation({ namespace: bizTheme }),
] as const
