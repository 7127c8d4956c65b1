import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colored, sized, styled, tag, text, variant } from '../../../support/atomic.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite

const variable = (id: string, type: string, label: string, value: string, rest: object = {}) => ({
  ...{ id, type: `global-${type}-variable`, label, value, order: 1, changedAt: 1, ...rest },
})
const globalClass = (id: string, label: string, variants: object[]) => [id, { id, type: 'class', label, variants }]

beforeAll(async () => {
  site = await createTestSite({ render: { tags: { brand: () => '#abcdef' } } })
  await site.api.site.options.write({
    builder_kit_variables: {
      watermark: 1,
      list: [
        variable('e-gv-1', 'color', 'sea', '#2F6B4F'),
        variable('e-gv-2', 'size', 'gap-l', '48px'),
        variable('e-gv-3', 'font', 'serif', 'Old "Face", serif'),
        variable('e-gv-4', 'color', 'gone', '#ABCDEF', { deletedAt: '2026-01-01 00:00:00' }),
        variable('e-gv-5', 'color', 'empty', ''),
        variable('e-gv-6', 'color', 'bad', 'red;}body{display:none'),
      ],
    },
    builder_kit_global_classes: {
      live: {
        order: ['g-2', 'g-1'],
        items: Object.fromEntries([
          globalClass('g-1', 'lead', [variant({ color: colored('#111111') }, { css: 'outline:1px solid' })]),
          globalClass('g-2', 'late', [variant({ color: colored('#222222'), padding: sized(1) })]),
          globalClass('g-3', 'unlisted', [variant({ color: colored('#333333') })]),
        ]),
      },
      preview: null,
    },
  })
})
afterAll(() => site.dispose())

const rendered = async (elements: readonly object[], options = {}) => {
  const result = await site.api.render.document(await storeDocument(site, elements, options))
  if (!result) throw new Error('the document was not rendered')
  const sheet = (key: string) => result.css.find((one) => one.key === key)?.css ?? ''
  return { ...result, sheet, local: sheet('local'), codes: result.warnings.map(({ code }) => code) }
}
const local = async (props: object) => (await rendered([styled('a', 'e-divider', [variant(props)])])).local
const inRule = (declarations: string) => `.builder .e-a-1{${declarations}}`

describe('values', () => {
  test('boxes become one declaration for each side', async () => {
    const padding = tag('dimensions', { 'block-start': sized(5), 'inline-end': sized(1, 'em'), nonsense: sized(3) })
    expect(await local({ padding })).toBe(inRule('padding-block-start:5px;padding-inline-end:1em'))
    const radius = tag('border-radius', { 'start-start': sized(8), 'end-end': sized(50, '%') })
    expect(await local({ 'border-radius': radius })).toBe(
      inRule('border-start-start-radius:8px;border-end-end-radius:50%'),
    )
    expect(await local({ 'border-width': tag('border-width', { 'block-end': sized(2) }) })).toBe(
      inRule('border-block-end-width:2px'),
    )
    expect(await local({ gap: tag('layout-direction', { column: sized(7), row: sized(9) }) })).toBe(
      inRule('column-gap:7px;row-gap:9px'),
    )
    expect(await local({ padding: sized(3), gap: sized('', 'auto'), width: sized('calc(100% - 1px)', 'custom') })).toBe(
      inRule('padding:3px;gap:auto;width:calc(100% - 1px)'),
    )
  })

  test('flex is written with what is there', async () => {
    const number = (value: number) => tag('number', value)
    const cases: readonly (readonly [grow?: number, shrink?: number, basis?: number, css?: string])[] = [
      [1, 0, 20, '1 0 20px'],
      [1, 0, undefined, '1 0'],
      [2, undefined, 20, '2 1 20px'],
      [undefined, 3, 20, '0 3 20px'],
      [2, undefined, undefined, '2'],
      [undefined, 3, undefined, '0 3'],
      [undefined, undefined, 20, '0 1 20px'],
    ]
    for (const [grow, shrink, basis, css] of cases) {
      const flex = {
        ...(grow !== undefined && { flexGrow: number(grow) }),
        ...(shrink !== undefined && { flexShrink: number(shrink) }),
        ...(basis !== undefined && { flexBasis: sized(basis) }),
      }
      expect(await local({ flex: tag('flex', flex) })).toBe(inRule(`flex:${css}`))
    }
    expect(await local({ flex: tag('flex', {}) })).toBe('')
  })

  test('shadows, filters, transforms and transitions are lists of functions', async () => {
    const shadow = tag('shadow', {
      hOffset: sized(1),
      vOffset: sized(2),
      color: colored('red'),
      position: text('inset'),
    })
    expect(await local({ 'box-shadow': tag('box-shadow', [shadow, 7, tag('shadow', {})]) })).toBe(
      inRule('box-shadow:1px 2px 0px 0px red inset'),
    )
    const func = (name: string, args: object) =>
      tag('css-filter-func', { func: text(name), args: tag(name === 'drop-shadow' ? name : 'intensity', args) })
    const filters = [
      func('brightness', { size: sized(90, '%') }),
      func('drop-shadow', { xAxis: sized(1), yAxis: sized(2), blur: sized(3), color: colored('#000') }),
      func('url', { size: sized(1) }),
    ]
    expect(await local({ filter: tag('filter', filters), 'backdrop-filter': tag('backdrop-filter', filters) })).toBe(
      inRule(
        'filter:brightness(90%) drop-shadow(1px 2px 3px #000);backdrop-filter:brightness(90%) drop-shadow(1px 2px 3px #000)',
      ),
    )
    const functions = tag('transform-functions', [
      tag('transform-move', { x: sized(1) }),
      tag('transform-rotate', { z: sized(45, 'deg') }),
      tag('transform-skew', { y: sized(3, 'deg') }),
      tag('transform-explode', {}),
    ])
    const origin = tag('transform-origin', { x: sized(50, '%'), y: sized(0, '%') })
    expect(
      await local({ transform: tag('transform', { 'transform-functions': functions, 'transform-origin': origin }) }),
    ).toBe(
      inRule(
        'transform:translate3d(1px, 0px, 0px) rotateX(0deg) rotateY(0deg) rotateZ(45deg) skew(0deg, 3deg);transform-origin:50% 0% 0px',
      ),
    )
    const change = (name: string) =>
      tag('selection-size', { selection: tag('key-value', { value: text(name) }), size: sized(200, 'ms') })
    expect(await local({ transition: tag('transition', ['all', 'opacity', 'x;y'].map(change)) })).toBe(
      inRule('transition:all 200ms, opacity 200ms'),
    )
  })

  test('backgrounds have their first layer on top', async () => {
    const image = tag('image', { src: tag('image-src', { id: null, url: tag('url', 'https://x.test/a"b.png') }) })
    const stops = tag('gradient-color-stop', [
      tag('color-stop', { color: colored('red'), offset: tag('number', 0) }),
      tag('color-stop', { color: colored('blue'), offset: tag('number', 100) }),
    ])
    const layers = [
      tag('background-color-overlay', { color: colored('#0008') }),
      tag('background-gradient-overlay', { type: text('radial'), positions: text('top left'), stops }),
      tag('background-image-overlay', {
        image,
        size: tag('background-image-size-scale', { width: sized(10) }),
        position: tag('background-image-position-offset', { x: sized(1), y: sized(2) }),
      }),
    ]
    const background = {
      color: colored('#fff'),
      clip: text('text'),
      'background-overlay': tag('background-overlay', layers),
    }
    expect(await local({ background: tag('background', background) })).toBe(
      inRule(
        'background-color:#fff;' +
          'background-image:linear-gradient(#0008, #0008), radial-gradient(circle at top left, red 0%, blue 100%), url("https://x.test/a%22b.png");' +
          'background-repeat:repeat;background-attachment:scroll;background-size:auto auto, auto auto, 10px auto;' +
          'background-position:0% 0%, 0% 0%, 1px 2px;background-clip:text',
      ),
    )
  })

  test('nothing leaves its declaration, and unknown properties are dropped', async () => {
    const { local: css, codes } = await rendered([
      styled('a', 'e-divider', [
        variant({
          color: colored('red;}body{display:none'),
          'font-family': text('x";}</style><script>'),
          width: sized('1px;color:red', 'custom'),
          height: { $$type: 'size', value: { size: 1, unit: 'px;color:red' } },
          'text-align': text('expression(alert(1))'),
          cursor: text('url(//evil.example/x.cur)'),
          behavior: text('url(x.htc)'),
          constructor: text('x'),
          padding: tag('background', { color: colored('red') }),
        }),
      ]),
    ])
    expect(css).toBe('')
    expect(codes.sort()).toEqual(['unknown_property', 'unsafe_value'])
  })

  test('a dynamic value is judged as a text', async () => {
    expect(await local({ color: tag('dynamic', { name: 'brand', settings: {} }) })).toBe(inRule('color:#abcdef'))
  })
})

describe('variants', () => {
  test('belong to breakpoints and states, and unknown ones are dropped', async () => {
    const color = (value: string) => ({ color: colored(value) })
    const { local: css } = await rendered([
      styled('a', 'e-divider', [
        variant(color('#000001'), { breakpoint: 'mobile' }),
        variant(color('#000002'), { breakpoint: 'tablet' }),
        variant(color('#000003')),
        variant(color('#000004'), { state: 'hover' }),
        variant(color('#000005'), { state: 'e--selected' }),
        variant(color('#000006'), { state: 'hover{}' }),
        variant(color('#000007'), { breakpoint: 'laptop' }),
        variant(color('#000008'), { breakpoint: 'constructor' }),
        variant({}),
      ]),
    ])
    expect(css).toBe(
      '.builder .e-a-1{color:#000003}.builder .e-a-1:hover,.builder .e-a-1:focus-visible{color:#000004}' +
        '.builder .e-a-1.e--selected{color:#000005}' +
        '@media(max-width:1024px){.builder .e-a-1{color:#000002}}@media(max-width:767px){.builder .e-a-1{color:#000001}}',
    )
  })

  test('custom CSS is one block behind the declarations, and needs the right of its author', async () => {
    const css =
      'border:0; &:hover{color:blue} .x &{top:0} .child{left:0} @media print{right:0} @import "x"; a:expression(1)'
    const elements = [
      styled('a', 'e-divider', [variant({ color: colored('red') }, { css: `${css}} body{display:none` })]),
      styled('b', 'e-divider', [variant({}, { css: 'content:"; color: red' })]),
    ]
    expect((await rendered(elements)).local).toBe(
      inRule('color:red;border:0;&:hover{color:blue}.x &{top:0}.child{left:0}@media print{right:0}'),
    )
    expect((await rendered(elements, { author: 'author' })).local).toBe(inRule('color:red'))
  })

  test('a style that no element lists makes no rule, whichever element brings it', async () => {
    const style = styled('a', 'e-divider', [variant({ color: colored('red') })])
    const without = { ...style, settings: {} }
    expect((await rendered([without])).local).toBe('')
    const other = widgetElement('b', 'e-divider', { classes: tag('classes', ['e-a-1']) })
    expect((await rendered([other, without])).local).toBe(inRule('color:red'))
  })

  test('a shorthand behind a side wins over it', async () => {
    const side = { padding: tag('dimensions', { 'block-start': sized(1) }) }
    const again = await rendered([
      styled('a', 'e-divider', [variant(side), variant({ padding: sized(2) }), variant(side)]),
    ])
    expect(again.local).toBe(inRule('padding:2px;padding-block-start:1px'))
  })
})

describe('global classes', () => {
  test('are written in their order by their labels, and only where they are used', async () => {
    const classes = tag('classes', ['g-1', 'g-2', 'g-9', 'a b<c'])
    const { html, sheet, dependencies, codes } = await rendered([widgetElement('a', 'e-divider', { classes })])
    expect(html).toContain('<hr class="e-divider-base lead late g-9 abc">')
    expect(sheet('classes')).toBe(
      '.builder .late{color:#222222;padding:1px}.builder .lead{color:#111111;outline:1px solid}',
    )
    expect(dependencies).toEqual(expect.arrayContaining(['classes', 'class:g-1', 'class:g-2', 'class:g-9']))
    expect(dependencies).not.toContain('class:g-3')
    expect(codes).toEqual(['missing_global'])
    expect((await rendered([widgetElement('a', 'e-divider')])).dependencies).not.toContain('classes')
  })
})

describe('variables', () => {
  const named = (id: string, kind = 'color') => tag(`global-${kind}-variable`, id)

  test('are named by label, deleted ones by id, and unknown ones leave no declaration', async () => {
    const {
      local: css,
      sheet,
      dependencies,
      fonts,
      codes,
    } = await rendered([
      styled('a', 'e-divider', [
        variant({
          color: named('e-gv-1'),
          'font-family': named('e-gv-3', 'font'),
          'border-color': named('e-gv-4'),
          'letter-spacing': named('e-gv-9', 'size'),
        }),
      ]),
    ])
    expect(css).toBe(inRule('color:var(--sea);font-family:var(--serif);border-color:var(--e-gv-4)'))
    expect(sheet('variables')).toBe(
      ':root{--sea:#2F6B4F;--gap-l:48px;--serif:"Old \\"Face\\"", serif;--e-gv-4:#ABCDEF}',
    )
    expect(dependencies).toEqual(
      expect.arrayContaining(['variables', 'variable:e-gv-1', 'variable:e-gv-3', 'variable:e-gv-4', 'variable:e-gv-9']),
    )
    expect(dependencies).not.toContain('variable:e-gv-2')
    expect(fonts.filter((family) => !family.startsWith('Roboto'))).toEqual(['Old "Face"'])
    expect(codes.sort()).toEqual(['missing_global', 'unsafe_value'])
  })

  test('are written for custom CSS, and not at all when nothing names them', async () => {
    const custom = await rendered([widgetElement('a', 'heading', { title: 'x', title_color: 'var(--sea)' })])
    expect(custom.sheet('variables')).toContain('--sea:#2F6B4F')
    expect(custom.dependencies).toContain('variable:e-gv-1')
    const none = await rendered([widgetElement('a', 'heading', { title: 'x' })])
    expect(none.css.map(({ key }) => key)).not.toContain('variables')
    expect(none.dependencies).not.toContain('variables')
  })
})

test('sheets stand in their order', async () => {
  const { css } = await rendered([
    widgetElement('h', 'heading', { title: 'x', title_color: 'red', custom_css: 'selector{top:0}' }),
    styled('a', 'e-divider', [variant({ color: tag('global-color-variable', 'e-gv-1') })], {
      classes: tag('classes', ['g-1', 'e-a-1']),
    }),
  ])
  expect(css.map(({ key }) => key.replace(/\d+$/, 'N'))).toEqual(
    'base base-N base-N variables kit atomic-base classes defaults document-N local custom-elements'.split(' '),
  )
})
