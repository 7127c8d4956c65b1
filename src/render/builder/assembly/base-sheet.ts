/** The base sheet styles elements that have no settings, in parts. Widgets add parts to it (`rules` of a widget). */
import { shapeDividerRules } from '../controls/shape-divider.ts'
import type { Breakpoints } from '../css/breakpoints.ts'

const SIDES = ['top', 'right', 'bottom', 'left']
const sidesOf = (declaration: (side: string) => string) => SIDES.map(declaration).join(';')

/** Child elements inherit variables, so each element resets those that it reads. */
const element = `
.builder *,.builder *::before,.builder *::after{box-sizing:border-box}
.builder-element{--flex-basis:initial;--flex-grow:initial;--flex-shrink:initial;--order:initial;--align-self:initial;
flex-basis:var(--flex-basis);flex-grow:var(--flex-grow);flex-shrink:var(--flex-shrink);order:var(--order);
align-self:var(--align-self)}
.builder-absolute{position:absolute}
.builder-fixed{position:fixed}
.builder-widget{position:relative}
.builder-widget.builder-absolute{position:absolute}
.builder-widget.builder-fixed{position:fixed}
.builder img{height:auto;max-width:100%}
.builder .e-icon-file{width:1em;height:1em;object-fit:contain}
.builder-screen-only{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;border:0;
clip-path:inset(50%);white-space:nowrap}
`

const LAYOUT =
  'flex-direction:var(--flex-direction);flex-wrap:var(--flex-wrap);justify-content:var(--justify-content);' +
  'align-items:var(--align-items);align-content:var(--align-content);gap:var(--row-gap) var(--column-gap)'
const TRACKS =
  'grid-template-columns:var(--e-con-grid-template-columns);grid-template-rows:var(--e-con-grid-template-rows);' +
  'grid-auto-flow:var(--grid-auto-flow);justify-items:var(--justify-items);align-items:var(--align-items);' +
  'justify-content:var(--grid-justify-content);align-content:var(--grid-align-content);' +
  'gap:var(--row-gap) var(--column-gap)'

/**
 * The space below a widget, which its bottom margin adds to. In a container it is 0, whatever the kit says: the gap of the container
 * is between its widgets. The first rule ends the inheritance from a widget around it.
 */
const spacing = `
.builder-widget{--kit-widget-spacing:0px}.builder-widget:not(:last-child){--kit-widget-spacing:20px}
`

const container = `
.e-con{--display:flex;--width:100%;--min-height:initial;--height:auto;--overflow:visible;--position:relative;--z-index:auto;
--content-width:var(--container-max-width,1140px);
--border-radius:0;--border-style:initial;--border-color:initial;${sidesOf((side) => `--border-${side}-width:0px`)};
${sidesOf((side) => `--margin-${side}:0px`)};
${sidesOf((side) => `--padding-${side}:var(--container-default-padding-${side},10px)`)};
--row-gap:var(--widgets-spacing-row,20px);--column-gap:var(--widgets-spacing-column,20px);
--flex-direction:column;--flex-wrap:nowrap;--flex-wrap-mobile:wrap;
--justify-content:normal;--align-items:normal;--align-content:normal;
--justify-items:initial;--grid-auto-flow:row;--grid-justify-content:initial;--grid-align-content:initial;
--container-widget-width:100%;--container-widget-height:initial;--container-widget-flex-grow:0;
--container-widget-align-self:initial;
--background-overlay:initial;--overlay-opacity:.5;
position:var(--position);width:var(--width);min-width:0;min-height:var(--min-height);height:var(--height);
overflow:var(--overflow);z-index:var(--z-index);border-radius:var(--border-radius);
border-style:var(--border-style);border-color:var(--border-color);
border-width:var(--border-top-width) var(--border-right-width) var(--border-bottom-width) var(--border-left-width);
margin:var(--margin-top) var(--margin-right) var(--margin-bottom) var(--margin-left);
padding:var(--padding-top) var(--padding-right) var(--padding-bottom) var(--padding-left);
color:inherit;text-decoration:none}
.e-con.e-parent{--margin-left:auto;--margin-right:auto;max-width:min(100%,var(--width))}
.e-con.e-con-full{display:var(--display)}
.e-con.e-flex.e-con-full{${LAYOUT}}
.e-con.e-grid.e-con-full{${TRACKS}}
.e-con.e-con-boxed{display:flex;flex-direction:column;padding-top:0;padding-bottom:0}
.e-con>.e-con-inner{width:100%;max-width:min(100%,var(--content-width));margin:0 auto;flex-grow:1;
padding-top:var(--padding-top);padding-bottom:var(--padding-bottom);display:var(--display)}
.e-con.e-flex>.e-con-inner{${LAYOUT}}
.e-con.e-grid>.e-con-inner{${TRACKS}}
.e-con::before{content:var(--background-overlay);display:block;position:absolute;inset:0;opacity:var(--overlay-opacity);
border-radius:var(--border-radius);pointer-events:none}
.e-con>.builder-element,.e-con>.e-con-inner>.builder-element{min-width:0}
.e-con>.builder-widget,.e-con>.e-con-inner>.builder-widget{max-width:100%;margin-block-end:0}
.e-con>.builder-widget.builder-widget,.e-con>.e-con-inner>.builder-widget.builder-widget{--kit-widget-spacing:0px}
.e-con>.builder-absolute,.e-con>.e-con-inner>.builder-absolute{margin:0}
`

const GAPS: readonly (readonly [name: string, padding: number])[] = [
  ['no', 0],
  ['narrow', 5],
  ['extended', 15],
  ['wide', 20],
  ['wider', 30],
]
/** Class names hold whole numbers: these widths have a fraction. */
const FRACTIONS: { readonly [percent: number]: string } = {
  11: '11.111%',
  12: '12.5%',
  14: '14.285%',
  16: '16.666%',
  33: '33.333%',
  66: '66.666%',
  83: '83.333%',
}
const columnWidths = Array.from({ length: 91 }, (_, index) => index + 10)
  .map((percent) => `.builder-col-${percent}{width:${FRACTIONS[percent] ?? `${percent}%`}}`)
  .join('')

const section = `
.builder-section{position:relative}
.builder-section>.builder-container{display:flex;flex-wrap:nowrap;margin-inline:auto;position:relative}
.builder-section.builder-section-boxed>.builder-container{max-width:1140px}
.builder-section-height-full{min-height:100vh}
.builder-section-height-full>.builder-container{min-height:100vh}
.builder-section-items-top>.builder-container{align-items:flex-start}
.builder-section-items-middle>.builder-container{align-items:center}
.builder-section-items-bottom>.builder-container{align-items:flex-end}
.builder-section-items-stretch>.builder-container{align-items:stretch}
.builder-background-overlay{position:absolute;inset:0;opacity:.5;pointer-events:none}
.builder-column{position:relative;display:flex;min-height:1px}
.builder-widget-wrap{position:relative;width:100%;display:flex;flex-wrap:wrap;align-content:flex-start}
.builder-widget-wrap>.builder-element{width:100%}
.builder-widget-wrap>.builder-widget__width-auto,.builder-widget-wrap>.builder-widget__width-initial{max-width:100%}
.builder-element-populated{padding:10px}
${GAPS.map(([name, padding]) => `.builder-column-gap-${name}>.builder-column>.builder-element-populated{padding:${padding}px}`).join('')}
.builder-widget-wrap>.builder-widget:not(:last-child){margin-block-end:var(--kit-widget-spacing,20px)}
`

/** Writes the classes that set the number of columns of a grid. */
const gridColumns = (start: string) =>
  Array.from({ length: 12 }, (_, at) => `.builder-grid${start}-${at + 1}>.builder-grid{--grid-columns:${at + 1}}`).join(
    '',
  )
const grid = `.builder-grid{display:grid;grid-template-columns:repeat(var(--grid-columns,1),minmax(0,1fr));
column-gap:var(--grid-column-gap);row-gap:var(--grid-row-gap)}${gridColumns('')}`

/**
 * Lists the parts in cascade order: rules of every document, rules of layouts, and those of widgets. Widgets may have equal rules. The
 * last part hides elements on devices.
 */
export function baseParts({ bands, mobile, tablet }: Breakpoints, widgetRules: readonly string[]): readonly string[] {
  const onMobile = `@media(max-width:${mobile}px)`
  const aboveMobile = `@media(min-width:${mobile + 1}px)`
  const hidden = bands
    .map(({ device, query }) => `@media${query}{.builder .builder-element.builder-hidden-${device}{display:none}}`)
    .join('')
  return [
    element + spacing,
    `${container}${onMobile}{.e-con.e-flex{--width:100%;--flex-wrap:var(--flex-wrap-mobile)}}`,
    `${section}${aboveMobile}{${columnWidths}}${onMobile}{.builder-section>.builder-container{flex-wrap:wrap}.builder-column{width:100%}}`,
    shapeDividerRules,
    `${grid}@media(max-width:${tablet}px){${gridColumns('-tablet')}}${onMobile}{${gridColumns('-mobile')}}`,
    ...new Set(widgetRules),
    hidden,
  ].map((css) => css.replaceAll('\n', ''))
}
