/** Draws shape dividers, the shaped edges at the top or the bottom of a container or a section. */
import type { Settings } from '../document/settings.ts'
import { type Child, h, isNothing } from '../html/nodes.ts'
import { type Control, color, number, size } from './control.ts'

/** SVG paths. Each starts at the upper edge of a box of 1000 × 100 units. */
const SHAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tilt: 'M0 0H1000V10L0 100Z',
    'opacity-tilt': 'M0 0H1000V10L0 100Z',
    triangle: 'M0 0H1000L500 100Z',
    'triangle-asymmetrical': 'M0 0H1000L720 100Z',
    arrow: 'M440 0H560L500 70Z',
    split: 'M0 0H1000V60H530L500 100L470 60H0Z',
    curve: 'M0 0H1000Q500 200 0 0Z',
    'curve-asymmetrical': 'M0 0H1000Q720 190 0 0Z',
    book: 'M0 0H1000V100Q560 90 500 20Q440 90 0 100Z',
    waves: 'M0 0H1000V60C875 110 750 10 625 60S375 110 250 60S80 30 0 60Z',
    'wave-brush': 'M0 0H1000V45C860 95 700 20 540 70S240 30 120 75S30 60 0 55Z',
    clouds:
      'M0 0H1000V50A60 50 0 0 1 880 60A70 40 0 0 1 740 60A80 50 0 0 1 580 60A70 40 0 0 1 440 60A80 50 0 0 1 280 60A70 40 0 0 1 140 60A70 50 0 0 1 0 50Z',
    drops:
      'M0 0H1000V20Q950 20 940 80Q930 20 700 20Q690 20 680 100Q670 20 420 20Q410 20 400 60Q390 20 160 20Q150 20 140 90Q130 20 0 20Z',
    mountains: 'M0 0H1000V40L860 90L720 30L560 100L400 45L250 85L110 25L0 70Z',
    pyramids: 'M0 0H1000V20L800 90L640 30L420 100L250 40L120 80L0 20Z',
    zigzag: `M0 0H1000V50${Array.from({ length: 20 }, (_, at) => `L${975 - at * 50} 100L${950 - at * 50} 50`).join('')}Z`,
    'opacity-fan': 'M0 0H1000L500 100Z',
  }),
)

const SIDES = ['top', 'bottom'] as const
type Side = (typeof SIDES)[number]

function shapeAt(side: Side, settings: Settings): Child {
  const path = SHAPES.get(settings.text(`shape_divider_${side}`))
  if (path === undefined) return undefined
  const isNegative = settings.isOn(`shape_divider_${side}_negative`)
  return h(
    'div',
    {
      class: ['builder-shape', `builder-shape-${side}`],
      'aria-hidden': 'true',
      'data-negative': String(isNegative),
    },
    h(
      'svg',
      { viewBox: '0 0 1000 100', preserveAspectRatio: 'none' },
      // The negative of a shape is the rest of its box.
      h('path', {
        class: 'builder-shape-fill',
        d: isNegative ? `M0 0V100H1000V0Z${path}` : path,
        'fill-rule': 'evenodd',
      }),
    ),
  )
}

/** Returns undefined when the element has no divider. */
export function shapeDividers(settings: Settings): Child {
  const shapes = SIDES.map((side) => shapeAt(side, settings))
  return isNothing(shapes) ? undefined : shapes
}

export const shapeDividerControls: readonly Control[] = SIDES.flatMap((side): Control[] => {
  const setting = `shape_divider_${side}`
  const shape = `& > .builder-shape-${side}`
  return [
    color(`${setting}_color`, `${shape} .builder-shape-fill`, 'fill'),
    size(`${setting}_height`, `${shape} svg`, 'height'),
    number(`${setting}_width`, `${shape} svg`, (value) => [['width', `calc(${Math.max(100, value)}% + 1.3px)`]], {
      isResponsive: true,
    }),
    {
      settings: [`${setting}_flip`],
      isResponsive: false,
      when: { [`${setting}_flip`]: 'yes' },
      write: () => [[`${shape} svg`, [['transform', 'translateX(-50%) rotateY(180deg)']]]],
    },
    {
      settings: [`${setting}_above_content`],
      isResponsive: false,
      when: { [`${setting}_above_content`]: 'yes' },
      write: () => [
        [
          shape,
          [
            ['z-index', '2'],
            ['pointer-events', 'none'],
          ],
        ],
      ],
    },
  ]
})

export const shapeDividerRules = `.builder-shape{position:absolute;inset-inline:0;overflow:hidden;line-height:0;direction:ltr;pointer-events:none}
.builder-shape-top{top:-1px}.builder-shape-bottom{bottom:-1px;transform:rotate(180deg)}
.builder-shape svg{position:relative;display:block;left:50%;width:calc(100% + 1.3px);height:100px;transform:translateX(-50%)}
.builder-shape .builder-shape-fill{fill:#fff;transform-origin:center}`
