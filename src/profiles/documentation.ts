/** The groups of features in the documentation of both profiles, in reading order, and the recorded examples. */
import type { Documentation, FeatureGroup } from '../core/declare/documentation.ts'
import { recordedExamples } from './recorded-examples.ts'

export const documentation = (): Documentation => ({
  groups,
  // The cast: `npm run docs` writes such an object.
  examples: JSON.parse(recordedExamples) as Documentation['examples'],
})

const groups: readonly FeatureGroup[] = [
  {
    title: 'Content',
    features: {
      posts: 'Posts',
      revisions: 'Revisions',
      autosaves: 'Autosaves',
      categories: 'Categories',
      tags: 'Tags',
      cms_pattern_category: 'Categories of patterns',
      search: 'Search',
      'site-settings': 'Settings of the site',
      themes: 'Themes',
      statuses: 'Statuses',
      'content-types': 'Content types',
      taxonomies: 'Taxonomies',
      users: 'Users',
      embeds: 'Embeds',
      batch: 'Batch requests',
      'site-health-tests': 'Tests of the site',
    },
  },
  {
    title: 'Page builder',
    features: {
      'site-documents': 'Documents of every kind',
      'edit-locks': 'Locks of documents',
      documents: 'Documents',
      'template-library': 'Template library',
      components: 'Components',
      globals: 'Global colors and typography',
      variables: 'Variables',
      'global-classes': 'Global classes',
      styles: 'Generated styles',
      settings: 'Settings',
      'element-defaults': 'Element defaults',
      'site-editor': 'Site editor',
      'global-widgets': 'Global widgets',
      'live-widgets': 'Live widgets',
      notes: 'Notes',
      'form-submissions': 'Form submissions',
      'site-navigation': 'Site navigation',
      'current-clients': 'Front ends of today',
      pickers: 'Search for pickers',
      favorites: 'Favorites',
      library: 'Connection to the library',
      'design-system': 'Design system',
      'opt-in': 'New elements',
      'ai-permissions': 'AI permissions',
      'user-data': 'User data',
    },
  },
  {
    title: 'Theme',
    features: {
      'theme-settings': 'Theme settings',
      'admin-settings': 'Start page of the theme',
      'theme-onboarding': 'Theme onboarding',
      'install-confirmation': 'Message after the installation',
    },
  },
  {
    title: 'Account and packages',
    features: {
      connections: 'Connections',
      'account-settings': 'Account settings',
      license: 'License',
      packages: 'Plugins and themes',
    },
  },
  {
    title: 'Add-ons',
    features: {
      accessibility: 'Accessibility',
      'image-presets': 'Image presets',
      'hub-connector': 'Hub connector',
      'cross-sell': 'Other products',
    },
  },
  {
    title: 'Guidance',
    features: {
      onboarding: 'Onboarding',
      checklist: 'Checklist',
      'whats-new': "What's new",
      'top-bar': 'Top bar',
      promotions: 'Promotions',
      events: 'Events',
      feedback: 'Feedback',
    },
  },
  { title: 'Description of the API', features: { 'site-index': 'Site index', 'namespace-index': 'Namespace indexes' } },
]
