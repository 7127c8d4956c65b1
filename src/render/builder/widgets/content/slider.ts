/** Draws the slider that carousels and slides share. Without a script the slides scroll sideways; arrows and dots need one. */
import type { Settings } from '../../document/settings.ts'
import { type Attributes, type Child, h } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import type { Icon } from '../icon.ts'

const NAVIGATION = ['both', 'arrows', 'dots', 'none']
const navigationOf = (settings: Settings): string => settings.choice('navigation', NAVIGATION, 'both')

export const hasArrows = (settings: Settings): boolean => ['both', 'arrows'].includes(navigationOf(settings))
export const hasDots = (settings: Settings): boolean => ['both', 'dots'].includes(navigationOf(settings))

const arrow = (side: 'prev' | 'next', label: string, sign: Child): Child =>
  h(
    'div',
    {
      class: ['builder-swiper-button', `builder-swiper-button-${side}`],
      role: 'button',
      tabindex: '0',
      'aria-label': label,
    },
    sign,
  )

const chevron = (direction: string): Icon => ({ value: `eicon-chevron-${direction}`, library: 'eicons' })

export const arrowsOf = (element: WidgetContext): Child => [
  arrow('prev', 'Previous', element.icon('navigation_previous_icon', chevron('left'))),
  arrow('next', 'Next', element.icon('navigation_next_icon', chevron('right'))),
]

export const slideLabel = (at: number, count: number): Attributes => ({
  role: 'group',
  'aria-roledescription': 'slide',
  'aria-label': `${at + 1} of ${count}`,
})

/** Draws slides side by side in a labelled region. */
export function carouselOf(element: WidgetContext, slides: readonly Child[], label: string): Child {
  const { settings, pass } = element
  if (slides.length === 0) return undefined
  const isSingle = slides.length === 1
  if (!isSingle) pass.behaviours.add('carousel')
  const shown = slides.map((one, at) => h('div', { class: ['swiper-slide'], ...slideLabel(at, slides.length) }, one))
  const isMoving = settings.isOn('autoplay', 'yes')
  return h(
    'div',
    { class: ['swiper'], role: 'region', 'aria-roledescription': 'carousel', 'aria-label': label },
    // The keyboard has to reach a box that scrolls.
    h('div', { class: ['swiper-wrapper'], 'aria-live': isMoving ? 'off' : 'polite', tabindex: '0' }, shown),
    !isSingle && settings.isOn('show_arrows', 'yes') && arrowsOf(element),
  )
}

export const carouselRules = `.swiper{position:relative;min-width:0}
.swiper-wrapper{display:flex;gap:var(--e-slide-gap,20px);overflow-x:auto;scroll-snap-type:x mandatory}
.swiper-slide{flex:0 0 calc((100% - (var(--e-slides,1) - 1)*var(--e-slide-gap,20px))/var(--e-slides,1));min-width:0;
scroll-snap-align:start}
.builder-swiper-button,.swiper-pagination{display:none}
.builder-js .builder-swiper-button{display:inline-flex;position:absolute;top:50%;transform:translateY(-50%);z-index:1;
font-size:25px;cursor:pointer}
.builder-swiper-button-prev{inset-inline-start:10px}
.builder-swiper-button-next{inset-inline-end:10px}
[dir=rtl] .builder-swiper-button svg{transform:scaleX(-1)}
.builder-js .swiper-pagination{display:block;text-align:center}`
