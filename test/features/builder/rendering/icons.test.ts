/** Tests how icons are drawn: from the installed packages, from sets of the host, as signs of the builder, or not at all. */
import { afterEach, expect, test } from 'vitest'
import { createIcons } from '../../../../src/services/icons/index.ts'
import type { Icons } from '../../../../src/site/icons.ts'
import { storeDocument, widgetElement, withoutShapes } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite | undefined
afterEach(() => site?.dispose())

type Options = Parameters<typeof createTestSite>[0]

async function draw(elements: readonly object[], options: Options = {}) {
  site = await createTestSite(options)
  const id = await storeDocument(site, elements)
  const drawn = await site.api.render.document(id)
  if (!drawn) throw new Error('the document was not rendered')
  return { ...drawn, icons: [...withoutShapes(drawn.html).matchAll(/<svg ([^>]*)>/g)].map((found) => found[1]) }
}

const icon = (value: string, library = 'fa-solid') => widgetElement('a', 'icon', { selected_icon: { value, library } })
/** Icons of a machine without the packages. */
const noPackages: Icons = Object.assign(() => undefined, {
  packageFor: ({ library }: { readonly library: string }) =>
    library === 'fa-brands' ? '@fortawesome/free-brands-svg-icons' : '@fortawesome/free-solid-svg-icons',
})

test('icons of the installed packages are inline svg, with their licence once', async () => {
  const { html, icons, warnings } = await draw([icon('fas fa-star'), icon('fab fa-facebook-f', 'fa-brands')])
  expect(icons).toEqual(['fas-fa-star', 'fab-fa-facebook-f'])
  expect(html).toMatch(
    /<svg class="e-font-icon-svg e-fas-fa-star" aria-hidden="true" width="1em" height="1em" fill="currentColor" [^>]*viewBox="0 0 \d+ 512" [^>]*><path d="M[^"]+">/,
  )
  expect(html.match(/CC BY 4\.0/g)).toHaveLength(1)
  expect(warnings).toEqual([])
})

test('a document without icons names no licence', async () => {
  const { html } = await draw([widgetElement('a', 'heading', { title: 'One' })])
  expect(html).not.toContain('<!--')
})

test('without the packages one warning says which icons are missing and what to install', async () => {
  const { html, icons, warnings } = await draw(
    [icon('fas fa-anchor'), icon('fas fa-anchor'), icon('fab fa-git', 'fa-brands'), icon('fas fa-star')],
    { services: { icons: noPackages } },
  )
  expect(icons).toEqual([
    'fas-fa-anchor builder-icon-missing',
    'fas-fa-anchor builder-icon-missing',
    'fab-fa-git builder-icon-missing',
    'fas-fa-star',
  ])
  expect(html).not.toContain('<i ')
  expect(warnings).toEqual([
    {
      code: 'missing_icons',
      message:
        '2 icons are not drawn (fas fa-anchor, fab fa-git). Install @fortawesome/free-solid-svg-icons and ' +
        '@fortawesome/free-brands-svg-icons beside this package, or pass services.icons: createIcons({ sets }).',
    },
  ])
})

test('a function of the host may stand for the sets', async () => {
  const own: Icons = ({ value }) => (value === 'fas fa-star' ? '<svg id="own"></svg>' : undefined)
  const { html, warnings } = await draw([icon('fas fa-star'), icon('fas fa-anchor')], {
    services: { icons: own },
  })
  expect(html).toContain('<svg class="e-font-icon-svg e-fas-fa-star" id="own"></svg>')
  expect(warnings).toMatchObject([{ code: 'missing_icons', message: expect.stringContaining('No set has them') }])
})

test('an icon that no set has is named in the warning', async () => {
  const { warnings } = await draw([icon('fas fa-no-such-icon'), icon('acme acme-thing', 'acme')])
  expect(warnings).toEqual([
    {
      code: 'missing_icons',
      message:
        '2 icons are not drawn (fas fa-no-such-icon, acme acme-thing). No set has them: draw them with ' +
        'render.services.icon, or choose other icons.',
    },
  ])
})

test("the builder's own signs need no package", async () => {
  const { icons, warnings } = await draw(
    [
      widgetElement('a', 'accordion', { tabs: [{ _id: 'x', tab_title: 'A', tab_content: 'B' }] }),
      widgetElement('b', 'toggle', { tabs: [{ _id: 'x', tab_title: 'A', tab_content: 'B' }] }),
      widgetElement('c', 'rating', { rating_scale: { size: 1 } }),
      icon('eicon-close', 'eicons'),
      icon('eicon-long-arrow-right', 'eicons'),
    ],
    { services: { icons: noPackages } },
  )
  expect(icons).toHaveLength(8)
  expect(icons.filter((name) => name?.includes('missing'))).toEqual([])
  expect(warnings).toEqual([])
})

const oldIcon = { icon: 'fa fa-star-o' }
test.each<[type: string, settings: object, names: string[]]>([
  ['icon', oldIcon, ['fa-fa-star-o']],
  ['icon', {}, ['fas-fa-star']],
  ['icon', { icon: '' }, []],
  ['icon', { ...oldIcon, selected_icon: { value: 'fas fa-check', library: 'fa-solid' } }, ['fas-fa-check']],
  ['icon-box', oldIcon, ['fa-fa-star-o']],
  ['icon-list', { icon_list: [{ text: 'A', icon: 'fa fa-phone' }] }, ['fa-fa-phone']],
  ['social-icons', { social_icon_list: [{ social: 'fa fa-facebook', link: { url: '/x' } }] }, ['fa-fa-facebook']],
  ['button', { text: 'Go', icon: 'fa fa-arrow-right' }, ['fa-fa-arrow-right']],
  [
    'accordion',
    { icon: 'fa fa-angle-right', icon_active: 'fa fa-angle-down', tabs: [{ tab_title: 'A' }] },
    ['fa-fa-angle-right', 'fa-fa-angle-down'],
  ],
  ['call-to-action', { graphic_element: 'icon', icon: 'fa fa-heart-o' }, ['fa-fa-heart-o']],
  ['flip-box', { icon: 'fa fa-heart-o' }, ['fa-fa-heart-o']],
  ['price-table', { features_list: [{ item_text: 'A', item_icon: 'fa fa-check' }] }, ['fa-fa-check']],
  ['form', { button_icon: 'fa fa-send' }, ['fa-fa-send']],
  ['divider', { look: 'line_icon', icon: 'fa fa-star' }, ['fa-fa-star']],
  ['search-form', {}, ['eicon-search']],
  ['search-form', { icon: 'arrow' }, ['eicon-arrow-right']],
  [
    'image-carousel',
    { carousel: [{ url: '/a.png' }, { url: '/b.png' }] },
    ['eicon-chevron-left', 'eicon-chevron-right'],
  ],
  ['blockquote', { blockquote_content: 'A' }, ['fab-fa-x-twitter']],
  ['blockquote', { blockquote_content: 'A', tweet_button_view: 'text' }, []],
  [
    'reviews',
    { slides: [{ content: 'A', name: 'B', selected_social_icon: { value: 'fab fa-yelp', library: 'fa-brands' } }] },
    ['fab-fa-yelp'],
  ],
  [
    'share-buttons',
    {
      share_buttons: [{ button: 'facebook' }, { button: 'email' }],
      share_url_type: 'custom',
      share_url: { url: 'https://a.test/' },
    },
    ['fab-fa-facebook', 'fas-fa-envelope'],
  ],
])('%s with %o draws its icons', async (type, settings, names) => {
  const { html, icons, warnings } = await draw([widgetElement('a', type, settings)])
  expect(icons).toEqual(names)
  expect(html).not.toContain('<i ')
  expect(warnings).toEqual([])
})

test('without a set a network is its name, and a button to share it its first letter', async () => {
  const { html, text } = await draw(
    [
      widgetElement('a', 'social-icons', { social_icon_list: [{ social: 'fa fa-facebook', link: { url: '/x' } }] }),
      widgetElement('b', 'share-buttons', {
        share_buttons: [{ button: 'facebook' }],
        share_url_type: 'custom',
        share_url: { url: 'https://a.test/' },
      }),
    ],
    { services: { icons: noPackages } },
  )
  expect(html).toContain('builder-social-icon-facebook')
  expect(html).toContain('<span class="builder-screen-only">Facebook</span><svg')
  expect(html).toContain('aria-hidden="true"><span>F</span></span>')
  expect(text).not.toContain('Facebook')
})

test('empty elements in texts that a font would fill hold the icon', async () => {
  const { html, icons, warnings, text } = await draw([
    widgetElement('a', 'text-editor', {
      editor: '<p><i class="fa fa-phone mr-2" style="color:red"></i> Call <span class="fas fa-check">&nbsp;</span></p>',
    }),
    widgetElement('b', 'heading', { title: '<i class="fab fa-x-twitter" aria-hidden="true"></i> News' }),
    widgetElement('c', 'html', {
      html: '<em class=\'eicon-close\'></em><i class="fa"></i><i class="fa-sort"></i><i>fa fa-star</i>',
    }),
  ])
  expect(icons).toEqual(['fa-fa-phone', 'fas-fa-check', 'fab-fa-x-twitter', 'eicon-close'])
  expect(html).toMatch(/<i class="fa fa-phone mr-2" style="color:\s*red"><svg class="e-font-icon-svg e-fa-fa-phone"/)
  expect(html).toContain('<i class="fa"></i><i class="fa-sort"></i><i>fa fa-star</i>')
  expect(html.match(/CC BY 4\.0/g)).toHaveLength(1)
  expect(text).toContain('News')
  expect(warnings).toEqual([])
})

test('icons in texts are drawn by the service of the host, and named when they are missing', async () => {
  const { html, warnings } = await draw(
    [widgetElement('a', 'text-editor', { editor: '<p><i class="fas fa-own"></i><i class="fas fa-anchor"></i></p>' })],
    {
      services: { icons: noPackages },
      render: { services: { icon: ({ value }) => (value === 'fas fa-own' ? '<svg id="own"></svg>' : undefined) } },
    },
  )
  expect(html).toContain('<i class="fas fa-own"><svg class="e-font-icon-svg e-fas-fa-own" id="own"></svg></i>')
  expect(html).toContain('builder-icon-missing')
  expect(warnings).toMatchObject([
    { code: 'missing_icons', message: expect.stringMatching(/^1 icon is .*fas fa-anchor/) },
  ])
})

const starOnly = (url: string, more = '') => ({
  text: '',
  selected_icon: { value: 'fas fa-star', library: 'fa-solid' },
  link: { url, custom_attributes: more },
})
test.each([
  ['/our-menu/', 'our menu'],
  ['#open_hours', 'open hours'],
  ['/files/Price-List.pdf', 'Price List'],
  ['/caf%C3%A9/', 'café'],
  ['/', 'Home'],
  ['https://www.shop.example/x/y', 'shop.example'],
  ['mailto:ada@site.example?subject=Hi', 'ada@site.example'],
  ['tel:+49%20123', '+49 123'],
])('a link with an icon alone is named by its address %s', async (url, name) => {
  const { html } = await draw([
    widgetElement('a', 'icon', starOnly(url)),
    widgetElement('b', 'button', starOnly(url)),
    widgetElement('c', 'icon-list', { icon_list: [starOnly(url)] }),
    widgetElement('d', 'icon-box', { ...starOnly(url), title_text: '', description_text: '' }),
  ])
  expect(html.split(`aria-label="${name}"`)).toHaveLength(5)
})

test('a link that names itself keeps its name, and one with a text needs none', async () => {
  const { html } = await draw([
    widgetElement('a', 'icon', starOnly('/a', 'aria-label|Own name')),
    widgetElement('b', 'button', { ...starOnly('/b'), text: 'Text' }),
  ])
  expect([...html.matchAll(/aria-label="([^"]*)"/g)].map((found) => found[1])).toEqual(['Own name'])
})

test('a service of the host comes first, and its undefined leaves an icon to the sets', async () => {
  const { html, icons } = await draw([icon('fas fa-star'), icon('fas fa-check')], {
    render: { services: { icon: ({ value }) => (value === 'fas fa-star' ? '<svg id="own"></svg>' : undefined) } },
  })
  expect(html).toContain('<svg class="e-font-icon-svg e-fas-fa-star" id="own"></svg>')
  expect(icons.at(-1)).toBe('fas-fa-check')
})

test('names of a page never leave their attribute', async () => {
  const { html } = await draw([icon('fas "><script>hit()</script>', 'x'), icon('fas fa-star" onload="hit()')])
  expect(html).not.toMatch(/<script|onload=/)
})

test('sets of the host are read by name and alias, and may load late', async () => {
  const heart = { prefix: 'fas', iconName: 'heart', icon: [10, 20, [9829, 'love'], 'f004', 'M1 2h3z'] }
  const own = { prefix: 'fab', iconName: 'acme', icon: [10, 20, [], 'e000', ['M5 5h1z', 'M6 6h1z']] }
  const icons = createIcons({ sets: [{ faHeart: heart, prefix: 'fas' }, async () => ({ fab: {}, faAcme: own })] })
  expect(await icons({ library: 'fa-solid', value: 'fas fa-love' })).toContain('viewBox="0 0 10 20"')
  expect(await icons({ library: 'fa-brands', value: 'fab fa-acme' })).toContain(
    '<path opacity=".4" d="M5 5h1z"></path><path d="M6',
  )
  expect(await icons({ library: 'fa-solid', value: 'fas fa-star' })).toBeUndefined()
})

test('pages that load a font get its classes', async () => {
  const icons = createIcons({ sets: [], font: true })
  expect(await icons({ library: 'x', value: 'x x-"y' })).toBe('<i class="x x-&quot;y" aria-hidden="true"></i>')
})

test.each([
  ['fas fa-cog', 'fas fa-gear'],
  ['fa-solid fa-gear', 'fas fa-gear'],
  ['fas fa-fw fa-gear fa-spin fa-2x', 'fas fa-gear'],
  ['fa fa-star-o', 'far fa-star'],
  ['fa fa-facebook', 'fab fa-facebook-f'],
  ['fa fa-github', 'fab fa-github'],
  ['fa fa-map-marker', 'fas fa-location-dot'],
  ['fa fa-eye', 'far fa-eye'],
  ['fas fa-map-marker-alt', 'fas fa-location-dot'],
  ['fal fa-heart', 'far fa-heart'],
  ['fal fa-anchor', 'fas fa-anchor'],
  ['far fa-anchor', 'fas fa-anchor'],
  ['fas fa-facebook-f', 'fab fa-facebook-f'],
])('%s is %s', async (value, same) => {
  const icons = createIcons()
  const drawn = await icons({ library: 'x', value })
  expect(drawn).toContain('<path d="M')
  expect(drawn).toBe(await icons({ library: 'x', value: same }))
})

test('fonts of others are read by their last word', async () => {
  const icons = createIcons()
  const phone = await icons({ library: 'fa-solid', value: 'fas fa-phone' })
  for (const value of ['icon icon-phone', 'ti-phone', 'jki jki-phone-line', 'lnr lnr-phone']) {
    expect(await icons({ library: 'acme', value })).toBe(phone)
  }
})

test.each([
  '',
  'fas',
  'fas fa-',
  'fas fa-../star',
  'fas fa-star.js',
  'fas fa-__proto__',
  `fas fa-${'a'.repeat(500)}`,
  'fas fa-constructor',
])('%s is no icon', async (value) => {
  expect(await createIcons()({ library: 'fa-solid', value })).toBeUndefined()
})
