/** Draws loops: a template for each post of a list, in a grid or a carousel. */
import { color, compound, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { desktop } from '../../css/breakpoints.ts'
import { limits } from '../../document/limits.ts'
import { idOf } from '../../document/values.ts'
import { typeOf } from '../../elements/document.ts'
import { drawReferred, referredDocument } from '../../elements/reference.ts'
import { selectorOf } from '../../elements/wrapper.ts'
import {
  type Attributes,
  type Child,
  type HtmlElement,
  h,
  isList,
  isNothing,
  withAttributes,
} from '../../html/nodes.ts'
import { listPosts } from '../../queries/list.ts'
import { drawPaging, readPaging } from '../../queries/pagination.ts'
import { isFiltered } from '../../queries/reader-filters.ts'
import { readList, sizeOf } from '../../queries/settings.ts'
import { postClasses } from '../../template-context/current-post.ts'
import { arrowsOf } from '../content/slider.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { columnClasses } from './columns.ts'
import { pagingControls, pagingDefaults } from './paging.ts'

interface Alternate {
  readonly template: number | undefined
  readonly every: number
  readonly isOnce: boolean
  readonly span: number
}

function readAlternates({ settings }: WidgetContext): Alternate[] {
  if (!settings.isOn('alternate_template')) return []
  return settings.items('alternate_templates').map((item) => ({
    template: idOf(item.value('template_id')),
    every: Math.max(1, Math.floor(item.number('repeat_template', 1))),
    isOnce: item.isOn('show_once', 'yes'),
    span: Math.min(Math.max(Math.floor(item.number('column_span', 1)), 1), 12),
  }))
}

/** Returns the first alternate template for a position, counted from 1. */
const alternateAt = (alternates: readonly Alternate[], position: number): Alternate | undefined =>
  alternates.find(({ every, isOnce }) => (isOnce ? position === every : position % every === 0))

interface Items {
  readonly items: readonly Child[]
  readonly paging: Child
}

/** Returns undefined when the loop has no template. */
function drawItems(element: WidgetContext): Items | undefined {
  const { settings, scope, pass } = element
  const template = idOf(settings.value('template_id'))
  if (template === undefined || scope.loops >= limits.loops || !referredDocument(template, pass)) return undefined
  const list = readList(settings, 'post_query_')
  const perPage = sizeOf(settings.number('posts_per_page', 6))
  const isCurrentQuery = list.source === 'current_query'
  const paging = readPaging({ settings, element: element.id, scope, pass, isCurrentQuery })
  const { ids, total } = listPosts({ element: element.id, list, size: perPage, page: paging.page, pass, scope })
  const alternates = readAlternates(element)
  const items = ids.map((id, index) => {
    const alternate = alternateAt(alternates, index + 1)
    if (alternate && alternate.span > 1) writeSpan(element, index + 1, alternate.span)
    return drawReferred(alternate?.template ?? template, scope, pass, {
      around: { post: id, loopItem: id, loops: scope.loops + 1 },
      classes: ['e-loop-item', `e-loop-item-${id}`, ...postClasses(id, pass)],
    })
  })
  return { items, paging: drawPaging(paging, Math.ceil(total / perPage), settings) }
}

function writeSpan({ element, scope, pass, settings }: WidgetContext, position: number, span: number): void {
  const rules = pass.sheets.of('document', String(scope.document.post.id))
  const selector = `${selectorOf(element, scope)} > .builder-loop-container > :nth-child(${position})`
  const widths = [
    [desktop, settings.number('columns', 3)],
    [pass.breakpoints.find('tablet'), settings.number('columns_tablet', 2)],
    [pass.breakpoints.find('mobile'), settings.number('columns_mobile', 1)],
  ] as const
  for (const [breakpoint, columns] of widths) {
    // A wider item would add columns to the grid.
    if (breakpoint) rules.add(breakpoint, selector, [['grid-column', `span ${Math.min(span, Math.max(columns, 1))}`]])
  }
}

/** A reader who has filtered a list sees that it is empty. */
function nothingFound(element: WidgetContext): Child {
  const { settings, id, scope, pass } = element
  if (!settings.isOn('enable_nothing_found_message') && !isFiltered(id, scope, pass)) return undefined
  const text = element.html('nothing_found_message_text', 'Nothing was found here.')
  return h(
    'div',
    { class: ['e-loop-nothing-found-message'] },
    h(element.tag('nothing_found_message_html_tag', 'div'), { class: ['e-loop-nothing-found-message__text'] }, text),
  )
}

/** `refresh-loop` draws a loop without the page around it, on which other lists depend. */
const isRefreshable = ({ scope, settings }: WidgetContext): boolean =>
  scope.stack.length === 1 &&
  /^(wp-|page$)/.test(typeOf(scope.document)) &&
  settings.text('post_query_post_type') !== 'current_query'

const GRID: Attributes = { class: ['builder-loop-container', 'builder-grid'], role: 'list' }
const MESSAGE = '& .e-loop-nothing-found-message__text'

const loopGrid = widget({
  html: (element) => {
    const drawn = drawItems(element)
    if (!drawn) return undefined
    if (isNothing(drawn.items)) return nothingFound(element)
    const items = drawn.items.map((item) => withAttributes(item, { role: 'listitem' }) ?? item)
    return [h('div', { ...GRID, 'data-refreshable': isRefreshable(element) }, items), drawn.paging]
  },
  wrapperClasses: ({ settings }) => columnClasses(settings),
  controls: [
    size('column_gap', '&', '--grid-column-gap'),
    size('row_gap', '&', '--grid-row-gap'),
    compound(['equal_height'], (values) =>
      values.rawDesktop('equal_height') === 'yes'
        ? [
            ['& > .builder-loop-container', [['grid-auto-rows', '1fr']]],
            ['& > .builder-loop-container > .e-loop-item > *', [['height', '100%']]],
          ]
        : undefined,
    ),
    color('nothing_found_message_text_color', MESSAGE, 'color'),
    ...typography('nothing_found_message_typography', MESSAGE),
    ...pagingControls,
  ],
  defaults: pagingDefaults,
  rules: '.builder-widget-loop-grid{--grid-column-gap:30px;--grid-row-gap:30px}',
  isUnread: true,
})

/** The item is the slide: it gets no further wrapper. */
function slide(child: Child): Child {
  if (isNothing(child) || typeof child !== 'object' || isList(child) || !('tag' in child)) return child
  const { class: own } = child.attributes
  const changed: HtmlElement = {
    ...child,
    attributes: {
      ...child.attributes,
      class: [...(Array.isArray(own) ? own : []), 'swiper-slide'],
      role: 'group',
      'aria-roledescription': 'slide',
    },
  }
  return changed
}

const loopCarousel = widget({
  html: (element) => {
    const drawn = drawItems(element)
    if (!drawn) return undefined
    if (isNothing(drawn.items)) return nothingFound(element)
    const { settings, pass } = element
    pass.behaviours.add('carousel')
    const slides = drawn.items.filter((item) => !isNothing(item)).map(slide)
    const navigation = settings.choice('navigation', ['both', 'arrows', 'dots', 'none', 'yes'], 'both')
    const hasArrows = slides.length > 1 && ['both', 'arrows', 'yes'].includes(navigation)
    return [
      h(
        'div',
        { class: ['swiper', 'builder-loop-container'], role: 'list' },
        h(
          'div',
          { class: ['swiper-wrapper'], 'aria-live': settings.isOn('autoplay', 'yes') ? 'off' : 'polite' },
          slides,
        ),
      ),
      hasArrows && arrowsOf(element),
      slides.length > 1 && ['both', 'dots'].includes(navigation) && h('div', { class: ['swiper-pagination'] }),
    ]
  },
  controls: [
    compound(
      ['slides_to_show'],
      (values) => {
        const count = values.number('slides_to_show')
        return count === undefined ? undefined : [['&', [['--slides-to-show', String(Math.max(1, Math.floor(count)))]]]]
      },
      { isResponsive: true },
    ),
    size('image_spacing_custom', '&', '--slide-gap'),
  ],
  rules: `.builder-widget-loop-carousel>.swiper{overflow-x:auto;scroll-snap-type:x mandatory}
.builder-widget-loop-carousel>.swiper>.swiper-wrapper{display:flex;gap:var(--slide-gap,10px)}
.builder-widget-loop-carousel>.swiper>.swiper-wrapper>.swiper-slide{scroll-snap-align:start;
flex:0 0 calc((100% - (var(--slides-to-show,3) - 1)*var(--slide-gap,10px))/var(--slides-to-show,3))}`,
  isUnread: true,
})

export const loopWidgets: WidgetTable = { 'loop-grid': loopGrid, 'loop-carousel': loopCarousel }
