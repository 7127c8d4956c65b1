/**
 * The words of the best-known CMS and its page builder: with this map their public clients work unchanged. Data only;
 * word-map.ts defines how pairs match.
 */
import type { NameMap } from './word-map.ts'

const namespaces: NameMap = [
  ['cms/v2', 'wp/v2'],
  ['cms-site-health/v1', 'wp-site-health/v1'],
  ['cms-block-editor/v1', 'wp-block-editor/v1'],
  ['cms-abilities/v1', 'wp-abilities/v1'],
  // Includes documents and feedback, which are below it.
  ['builder/v1', 'elementor/v1'],
  ['builder-pro/v1', 'elementor-pro/v1'],
  ['builder-ai/v1', 'elementor-ai/v1'],
  ['builder-one/v1', 'elementor-one/v1'],
  ['builder-theme/v1', 'elementor-hello-elementor/v1'],
  ['builder-theme-plus/v1', 'elementor-hello-plus/v1'],
  ['builder-theme-biz/v1', 'elementor-hello-biz/v1'],
  ['a11y/v1', 'ea11y/v1'],
  ['imgopt/v1', 'wp-smush/v1'],
  ['crosssell/v1', 'wpmudev_pcs/v1'],
]

const headers: NameMap = [['X-CMS-', 'X-WP-']]

/** `cms` is the CURIE of all relations. */
const relations: NameMap = [
  ['cms', 'wp'],
  ['https://api.cms.example/{rel}', 'https://api.w.org/{rel}'],
  // The discovery link of every response.
  ['service-desc', 'https://api.w.org/'],
]

const markup: NameMap = [
  ['<!-- cms:', '<!-- wp:'],
  ['cms-block-', 'wp-block-'],
  ['cms-embedded-content', 'wp-embedded-content'],
]

/** Meta keys, post types, error codes, capabilities and settings keys. */
const builder: NameMap = [
  ['_builder_', '_elementor_'],
  ['builder_', 'elementor_'],
  ['cms_block', 'wp_block'],
  ['cms:action-create-cms_pattern_category', 'wp:action-create-wp_pattern_category'],
  ['cms:action-assign-cms_pattern_category', 'wp:action-assign-wp_pattern_category'],
  ['cms_pattern_', 'wp_pattern_'],
  ['_cms_note_', '_wp_note_'],
  ['create_notes_builder-pro', 'create_notes_elementor-pro'],
  ['edit_notes_builder-pro', 'edit_notes_elementor-pro'],
  ['delete_notes_builder-pro', 'delete_notes_elementor-pro'],
  ['read_notes_builder-pro', 'read_notes_elementor-pro'],
  ['edit_others_notes_builder-pro', 'edit_others_notes_elementor-pro'],
  ['delete_others_notes_builder-pro', 'delete_others_notes_elementor-pro'],
  ['read_others_private_notes_builder-pro', 'read_others_private_notes_elementor-pro'],
]

/** Content types, taxonomies and meta keys. */
const content: NameMap = [
  ['cms_block', 'wp_block'],
  ['cms_pattern_', 'wp_pattern_'],
  ['_cms_note_', '_wp_note_'],
]

const keys: NameMap = [
  ['BASE_STYLE', 'HELLO_STYLE'],
  ['THEME_STYLE', 'HELLO_THEME'],
  ['builder_theme', 'hello_theme'],
  ['builder_theme_plus_active', 'hello_plus_active'],
  ['isBuilderOne', 'isElementorOne'],
  ['builderInstalled', 'elementorInstalled'],
  ['builderActive', 'elementorActive'],
  ['hasCmsOnePackage', 'hasWpOnePackage'],
  ['block_editor', 'gutenberg'],
  ['bulk_imgopt', 'bulk_smush'],
]

/** Slugs of plugins and themes. Elsewhere `builder` is an editing mode, the same in both vocabularies. */
const packages: NameMap = [
  ['assistant', 'angie', 'package'],
  ['builder', 'elementor', 'package'],
  ['builder-pro', 'elementor-pro', 'package'],
  ['accessibility', 'pojo-accessibility', 'package'],
  ['builder-theme', 'hello-elementor', 'package'],
  ['builder-theme-biz', 'hello-biz', 'package'],
  ['builder-theme-plus', 'hello-plus', 'package'],
]

/**
 * The names that the public clients of the best-known content system expect.
 *
 * ```ts
 * import { createSiteApi, d1 } from 'site-api'
 * import { wordpress } from 'site-api/names'
 * import { memoryStorage } from 'site-api/storage/memory'
 *
 * export const api = createSiteApi({ storage: memoryStorage(), profile: d1, names: wordpress })
 * ```
 */
export const wordpress: NameMap = [
  ...namespaces,
  ...headers,
  ...relations,
  ...markup,
  ...builder,
  ...content,
  ...keys,
  ...packages,
]

export type { NameMap } from './word-map.ts'
