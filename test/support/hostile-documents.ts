/**
 * Makes documents to break the engine: markup in every setting, deep nesting, references to anything, values of the wrong
 * type.
 */
import fc from 'fast-check'
import { tokenize } from '../../src/html/tokenize.ts'
import type { OpenTag } from '../../src/html/tokens.ts'
import { decodeReferences } from '../../src/render/filter/references.ts'

const WIDGETS =
  'heading text-editor image video button divider spacer icon icon-box image-box image-carousel image-gallery icon-list counter ' +
  'progress testimonial tabs accordion toggle alert html shortcode menu-anchor posts loop-grid loop-carousel form nav-menu ' +
  'search-form template theme-post-title theme-post-content theme-post-excerpt theme-site-logo post-info author-box post-navigation ' +
  'theme-archive-title price-table call-to-action global no-such-widget __proto__ constructor flip-box slides countdown blockquote ' +
  'share-buttons animated-headline price-list testimonial-carousel reviews gallery google_maps audio sidebar read-more rating ' +
  'star-rating social-icons nested-tabs nested-accordion search theme-page-title theme-site-title e-heading'
const SETTINGS =
  'title link editor image text header_size size align html url selected_icon icon_list tabs form_fields form_name shortcode ' +
  'template_id _css_classes _element_id _attributes custom_css html_tag title_color typography_typography typography_font_family ' +
  'typography_font_size _background_background _background_color _background_image __dynamic__ __globals__ e_display_conditions ' +
  'posts_post_type posts_posts_ids posts_include posts_include_term_ids post_query_post_type post_query_posts_ids posts_per_page ' +
  'pagination_type pagination_prev_label menu placeholder slides gallery galleries gallery_type price_list share_buttons share_url ' +
  'share_url_type rotating_text headline_style highlighted_text before_text blockquote_content author_name due_date post_query_query_id ' +
  'html_tag_title price heading sub_heading features_list button_text rating_value social_icon_list background_overlay' +
  '  wp_gallery carousel columns _position z_index field_options __proto__'
const TAGS =
  'post-title post-url post-terms post-custom-field request-arg shortcode author-name site-logo internal-url contact-url nope'

const HOSTILE = [
  '<script>window.hit=1</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'red;}</style><script>alert(1)</script>',
  '}body{display:none',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[builder-template id="1"][/builder-template]',
  '[gallery ids="1,2"',
  '<p title="[caption]">x[/caption]</p>',
  '[[['.repeat(20),
  '\u0000\u2028\ud800',
  '{{id}}',
  'expression(alert(1))',
  'url(javascript:alert(1))',
  '-->',
  ']]>',
  '50%',
]

const pick = (list: string) => fc.constantFrom(...list.split(' '))
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('yes', 'custom', 'classic', 'by_id'),
)

const tag = fc
  .record({
    name: pick(TAGS),
    settings: fc.dictionary(
      pick('before after fallback key param_name shortcode type post_id link_type mail_to'),
      text,
      { maxKeys: 3 },
    ),
  })
  .map(
    ({ name, settings }) => `[builder-tag id="a" name="${name}" settings="${encodeURIComponent(safeJson(settings))}"]`,
  )

/** encodeURIComponent refuses half a surrogate pair. */
const safeJson = (value: unknown): string => JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/gi, '')

const plainValue = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer({ min: -5, max: 40 }),
  fc.constantFrom(null, true, false, [], {}, Number.MAX_SAFE_INTEGER),
)
const objectValue = fc.oneof(
  fc.record({ url: text, is_external: fc.constantFrom('', 'on'), custom_attributes: text }),
  fc.record({ id: fc.integer({ min: 0, max: 40 }), url: text }),
  fc.record({ unit: fc.oneof(text, fc.constantFrom('px', 'em', 'custom')), size: plainValue, sizes: fc.constant([]) }),
  fc.record({ unit: fc.constantFrom('px', '%'), top: text, left: text }),
  fc.record({ value: text, library: fc.constantFrom('fa-solid', 'svg', '') }),
  fc.dictionary(pick('title title_color link image text editor'), tag, { maxKeys: 3 }),
)
const item = fc.dictionary(
  pick('_id type field_type custom_id field_label tab_title tab_content text item_title link'),
  plainValue,
  { maxKeys: 4 },
)
const value = fc.oneof(
  { weight: 4, arbitrary: plainValue },
  { weight: 3, arbitrary: objectValue },
  fc.array(fc.oneof(item, plainValue), { maxLength: 4 }),
)
const settings = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(pick(SETTINGS), value, { maxKeys: 8 }) },
  fc.constantFrom([], null, 'x'),
)

// ---------------------------------------------------------------- the new generation

const ATOMIC_SETTINGS =
  'title paragraph text link image classes attributes svg source tag component_instance component_id overrides tab-content'
const KINDS =
  'string number boolean html html-v2 html-v3 escaped-html size color url classes attributes key-value link query image image-src ' +
  'dimensions box-shadow shadow background background-overlay filter transform transition flex stroke dynamic overridable ' +
  'component-instance global-color-variable nope __proto__'
const PROPERTIES =
  'width color background padding margin border-radius box-shadow filter transform transition font-family display position gap flex ' +
  'stroke object-fit grid --x __proto__'
const PARTS =
  'src url id destination tag isTargetBlank component_id override_key origin_value content children name settings size unit key value ' +
  'color clip func args'

const { tagged } = fc.letrec<{ tagged: unknown }>((tie) => ({
  tagged: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    value,
    fc.record({
      $$type: pick(KINDS),
      value: fc.oneof(
        text,
        fc.integer({ min: -5, max: 40 }),
        fc.dictionary(pick(PARTS), tie('tagged'), { maxKeys: 3 }),
        fc.array(tie('tagged'), { maxLength: 3 }),
      ),
    }),
  ),
}))
const style = fc.record({
  id: pick('s1 s2 e-abc'),
  type: fc.constant('class'),
  label: text,
  variants: fc.array(
    fc.record({
      meta: fc.record({
        breakpoint: fc.oneof(text, pick('desktop mobile')),
        state: fc.oneof(text, pick('hover focus')),
      }),
      props: fc.dictionary(pick(PROPERTIES), tagged, { maxKeys: 3 }),
      custom_css: fc.oneof(fc.constant(null), fc.record({ raw: text.map(toBase64) })),
    }),
    { maxLength: 2 },
  ),
})
function toBase64(css: string): string {
  return Buffer.from(css).toString('base64')
}

const { element } = fc.letrec<{ element: unknown }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      id: fc.oneof(fc.string({ maxLength: 8 }), fc.constant('abc')),
      elType: fc.constant('widget'),
      widgetType: pick(WIDGETS),
      settings,
      templateID: fc.integer({ min: 0, max: 40 }),
    }),
    fc.record({
      id: fc.string({ maxLength: 8 }),
      elType: fc.oneof(
        pick('container section column widget e-div-block e-flexbox __proto__'),
        fc.string({ maxLength: 5 }),
      ),
      widgetType: pick('nested-tabs nested-accordion heading'),
      isInner: fc.boolean(),
      settings,
      elements: fc.array(tie('element'), { maxLength: 4 }),
    }),
    fc.record({
      id: fc.string({ maxLength: 8 }),
      elType: fc.constantFrom('widget', 'e-div-block', 'e-tabs', 'e-heading'),
      widgetType: pick('e-heading e-paragraph e-image e-button e-svg e-divider e-youtube e-component'),
      settings: fc.dictionary(pick(ATOMIC_SETTINGS), tagged, { maxKeys: 5 }),
      styles: fc.dictionary(pick('s1 s2 e-abc __proto__'), style, { maxKeys: 2 }),
      interactions: fc.oneof(text, value),
      elements: fc.array(tie('element'), { maxLength: 2 }),
    }),
    fc.constantFrom(null, 7, 'text', []),
  ),
}))

export const hostileDocument = fc.array(element, { minLength: 1, maxLength: 6 })

const FORBIDDEN: ReadonlySet<string> = new Set(['script', 'object', 'base', 'foreignobject', 'style'])
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction', 'poster'])

interface Result {
  readonly html: string
  readonly css: readonly { readonly css: string }[]
  readonly text: string
}

/** Lists the effects that no document may have, whoever wrote it. Empty: none. */
export function harmIn({ html, css, text: plain }: Result): string[] {
  const found = tokenize(html).flatMap((token) => (token.kind === 'open' ? harmOfTag(token) : []))
  for (const sheet of css) {
    if (/<|expression\(|url\(\s*["']?\s*javascript:|body\{display:none/i.test(sheet.css))
      found.push(`css ${sheet.css.slice(-200)}`)
  }
  if (/\[object Object\]|\bundefined\b|\bNaN\b/.test(plain)) found.push(`text ${plain.slice(0, 200)}`)
  return found
}

function harmOfTag({ lowerName, attributes }: OpenTag): string[] {
  const found = FORBIDDEN.has(lowerName) ? [`<${lowerName}>`] : []
  for (const { name, value: written } of attributes) {
    const lower = name.toLowerCase()
    if (lower.startsWith('on')) found.push(`${lowerName} ${lower}`)
    if (ADDRESSES.has(lower) && runsScript(written ?? '')) found.push(`${lower}=${written}`)
  }
  return found
}

const runsScript = (address: string): boolean =>
  /^(?:javascript|vbscript|data:text)/i.test(decodeReferences(address).replace(/[\0-\x20]+/g, ''))
