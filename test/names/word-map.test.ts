/** The word map and its preset: translates every word of the table both ways, and no other word. */
import { expect, test } from 'vitest'
import { identifiers, list, object, oneOf, str } from '../../src/core/declare/args.ts'
import { neutralValue, publicSchema } from '../../src/core/request/argument-names.ts'
import { createNames } from '../../src/names/word-map.ts'
import { wordpress } from '../../src/names/wordpress.ts'

const names = createNames(wordpress)

const words = [
  ['cms/v2', 'wp/v2'],
  ['cms-site-health/v1', 'wp-site-health/v1'],
  ['cms-block-editor/v1', 'wp-block-editor/v1'],
  ['cms-abilities/v1', 'wp-abilities/v1'],
  ['builder/v1', 'elementor/v1'],
  ['builder/v1/documents', 'elementor/v1/documents'],
  ['builder/v1/feedback', 'elementor/v1/feedback'],
  ['builder-pro/v1', 'elementor-pro/v1'],
  ['builder-ai/v1', 'elementor-ai/v1'],
  ['builder-one/v1', 'elementor-one/v1'],
  ['builder-theme/v1', 'elementor-hello-elementor/v1'],
  ['builder-theme-plus/v1', 'elementor-hello-plus/v1'],
  ['builder-theme-biz/v1', 'elementor-hello-biz/v1'],
  ['a11y/v1', 'ea11y/v1'],
  ['imgopt/v1', 'wp-smush/v1'],
  ['crosssell/v1', 'wpmudev_pcs/v1'],
  ['/cms/v2/posts/(?P<id>[\\d]+)', '/wp/v2/posts/(?P<id>[\\d]+)'],
  ['X-CMS-Total', 'X-WP-Total'],
  ['X-CMS-TotalPages', 'X-WP-TotalPages'],
  ['X-CMS-Nonce', 'X-WP-Nonce'],
  ['service-desc', 'https://api.w.org/'],
  ['cms', 'wp'],
  ['https://api.cms.example/{rel}', 'https://api.w.org/{rel}'],
  ['cms:term', 'wp:term'],
  ['cms:featuredmedia', 'wp:featuredmedia'],
  ['cms:attachment', 'wp:attachment'],
  ['cms:action-assign-author', 'wp:action-assign-author'],
  ['cms-embedded-content', 'wp-embedded-content'],
  ['_builder_edit_mode', '_elementor_edit_mode'],
  ['_builder_template_type', '_elementor_template_type'],
  ['_builder_data', '_elementor_data'],
  ['_builder_page_settings', '_elementor_page_settings'],
  ['_builder_conditions', '_elementor_conditions'],
  ['builder_library', 'elementor_library'],
  ['builder_component', 'elementor_component'],
  ['builder_disable_color_schemes', 'elementor_disable_color_schemes'],
  ['builder_import_error', 'elementor_import_error'],
  ['builder_library_not_found', 'elementor_library_not_found'],
  ['builder_global_classes_update_class', 'elementor_global_classes_update_class'],
  ...['create', 'edit', 'delete', 'read', 'edit_others', 'delete_others', 'read_others_private'].map(
    (what) => [`${what}_notes_builder-pro`, `${what}_notes_elementor-pro`] as const,
  ),
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
] as const

const packages = [
  ['assistant', 'angie'],
  ['builder', 'elementor'],
  ['builder-pro', 'elementor-pro'],
  ['accessibility', 'pojo-accessibility'],
  ['builder-theme', 'hello-elementor'],
  ['builder-theme-biz', 'hello-biz'],
  ['builder-theme-plus', 'hello-plus'],
  ['manage', 'manage'],
  ['site-mailer', 'site-mailer'],
  ['image-optimization', 'image-optimization'],
] as const

test.each(words)('%s is %s', (neutral, outer) => {
  expect([names.toPublic(neutral), names.toNeutral(outer)]).toEqual([outer, neutral])
})

test.each(packages)('the package %s is %s', (neutral, outer) => {
  expect([names.toPublic(neutral, 'package'), names.toNeutral(outer, 'package')]).toEqual([outer, neutral])
})

test('no two neutral words map to one public name', () => {
  for (const table of [words, packages]) {
    expect(new Set(table.map(([neutral]) => neutral)).size).toBe(table.length)
    expect(new Set(table.map(([, outer]) => outer)).size).toBe(table.length)
  }
})

test.each([
  ...['builder', 'wp-post', 'wp-page', 'assistant', 'accessibility', 'rest_no_route', 'cmsx', 'a-cms', 'my_builder_x'],
  ...['/oembed/1.0/embed', 'Link', 'version-history', 'cms-blocks', 'e-floating-buttons'],
])('%s is the same word both ways', (word) => {
  expect([names.toPublic(word), names.toNeutral(word)]).toEqual([word, word])
})

test('without a map identifiers are unchanged', () => {
  const none = createNames()
  const text = '<!-- cms:paragraph --> cms/v2'
  expect([none.isEmpty, none.toPublic(text), none.toNeutral(text), none.swapMarkup(text)]).toEqual([
    true,
    text,
    text,
    text,
  ])
})

test.each([
  ['<!-- cms:paragraph -->', '<!-- wp:paragraph -->'],
  ['<!-- /cms:acme/thing -->', '<!-- /wp:acme/thing -->'],
  ['<!--\tcms:more {"a":1} /-->', '<!--\twp:more {"a":1} /-->'],
  ['<h2 class="cms-block-heading big">', '<h2 class="wp-block-heading big">'],
  ["<p title='>' class='a cms-block-x cms-block-y'>", "<p title='>' class='a wp-block-x wp-block-y'>"],
  ['<p class=cms-block-x>', '<p class=wp-block-x>'],
])('content with %s is shown as %s', (inside, outside) => {
  const [stored, shown] = [`Before ${inside} after`, `Before ${outside} after`]
  expect([names.swapMarkup(stored), names.swapMarkup(shown)]).toEqual([shown, stored])
})

test.each([
  ...['wp:paragraph and cms:paragraph', '<!--more-->', '<!-- wp: -->', 'class="wp-block-x"', '<p id="cms-block-x">'],
  ...['<p class="acms-block-x cms-block">', '<a href="https://x.test/wp-block-a/cms:b">wp-block-a</a>', '<'],
])('what is no marker stays: %s', (text) => {
  expect(names.swapMarkup(text)).toBe(text)
})

test('swapping markup twice changes nothing', () => {
  const odd = '<!-- wp:a --><!-- cms:b --><p class="wp-block-a cms-block-b" x=\'<q class="cms-block-c'
  expect(names.swapMarkup(odd)).not.toBe(odd)
  expect(names.swapMarkup(names.swapMarkup(odd))).toBe(odd)
})

test('unterminated markup is scanned in linear steps', () => {
  // With quadratic work, a million characters would exceed the time limit of a test.
  for (const piece of ['<!-- ', '<a ', '<a class="', '<!--\t\t', ' class=', '<p class="cms-block-']) {
    const text = `${piece.repeat(1_000_000 / piece.length)}<!-- cms:x cms-block-`
    expect(names.swapMarkup(text)).toBeTypeOf('string')
  }
})

const outerOf = (neutral: Parameters<typeof publicSchema>[0]) => publicSchema(neutral, names)

test('argument schemas have public names, and values come back neutral', () => {
  const arg = object({
    _builder_edit_mode: oneOf(['', 'builder'], { default: '' }),
    _builder_template_type: oneOf(['wp-post', 'builder_component']),
    free: str(),
  })
  expect(Object.keys(outerOf(arg).properties ?? {})).toEqual([
    '_elementor_edit_mode',
    '_elementor_template_type',
    'free',
  ])
  expect(outerOf(arg).properties?.['_elementor_template_type']?.enum).toEqual(['wp-post', 'elementor_component'])
  const input = {
    _elementor_edit_mode: 'builder',
    _elementor_template_type: 'elementor_component',
    free: 'elementor_x',
  }
  expect(neutralValue({ ...arg, node: outerOf(arg) }, input, names)).toEqual({
    _builder_edit_mode: 'builder',
    _builder_template_type: 'builder_component',
    free: 'elementor_x',
  })
})

test('texts marked as identifiers are translated', () => {
  const types = identifiers(list(str(), { default: ['page', 'builder_library'] }))
  expect(outerOf(types).default).toEqual(['page', 'elementor_library'])
  expect(neutralValue(types, ['elementor_library', 'post'], names)).toEqual(['builder_library', 'post'])
  const slug = identifiers(oneOf(['manage', 'builder', 'builder-pro']), 'package')
  expect(outerOf(slug).enum).toEqual(['manage', 'elementor', 'elementor-pro'])
  expect(neutralValue({ ...slug, node: outerOf(slug) }, 'elementor-pro', names)).toBe('builder-pro')
})
