/** Draws the terms by which readers filter a list. Without a script their links lead to the page with the filtered list. */
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { limits } from '../../document/limits.ts'
import { nameOf } from '../../document/values.ts'
import { type Attributes, h, isNothing, written } from '../../html/nodes.ts'
import { listTerms } from '../../lists/terms.ts'
import { listsOf } from '../../queries/lists-of-document.ts'
import { filteredAddress } from '../../queries/pagination.ts'
import { filterName, parseFilter } from '../../queries/reader-filters.ts'
import { requestValue } from '../../template-context/page.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

interface ListFilter {
  readonly list: string
  /** Joins several terms in an address. */
  readonly separator: string
  /** The terms by which the list is filtered now. */
  readonly slugs: readonly string[]
  /** Returns the address of the page with the list of these terms. */
  readonly address: (slugs: readonly string[]) => string
}

/** Returns undefined for a filter whose list is not in its document: its links lead to the archives of the terms. */
function filterOf({ settings, scope, pass }: WidgetContext, taxonomy: string): ListFilter | undefined {
  const list = nameOf(settings.value('selected_element'))
  if (list === '' || !listsOf(scope.document).lists.has(list)) return undefined
  const name = filterName(list, taxonomy)
  const separator = settings.text('logical_combination') === 'AND' ? '+' : ','
  return {
    list,
    separator,
    slugs: parseFilter(requestValue(name, pass)).slugs,
    address: (slugs) => filteredAddress({ name, value: slugs.join(separator), list }, pass),
  }
}

/** A chosen term is given up by its link. */
function chosen(slugs: readonly string[], slug: string, isMultiple: boolean): readonly string[] {
  if (slugs.includes(slug)) return slugs.filter((one) => one !== slug)
  return isMultiple ? [...slugs, slug] : [slug]
}

const forScripts = (filter: ListFilter | undefined, taxonomy: string, isMultiple: boolean): Attributes =>
  filter
    ? {
        'data-list': written(filter.list),
        'data-taxonomy': written(taxonomy),
        'data-join': isMultiple && filter.separator,
      }
    : {}

const taxonomyFilter = widget({
  html: (element) => {
    const { settings, pass } = element
    const taxonomy = settings.text('taxonomy', 'category') || 'category'
    const terms = listTerms(
      {
        taxonomy,
        hidesEmpty: !settings.isOn('show_empty_items'),
        isTopLevel: !settings.isOn('show_child_taxonomy'),
        limit: limits.listed,
      },
      pass,
    )
    if (terms.length === 0) return undefined
    const first = settings.isOn('show_first_item', 'yes') && element.html('first_item_title', 'All')
    const filter = filterOf(element, taxonomy)
    if (filter) pass.behaviours.add('list')
    const isAll = !filter || filter.slugs.length === 0
    return h(
      'nav',
      {
        class: ['e-filter'],
        'aria-label': 'Filter',
        ...forScripts(filter, taxonomy, settings.isOn('multiple_selection')),
      },
      first !== false &&
        !isNothing(first) &&
        h('a', { class: ['e-filter-item'], href: filter?.address([]) ?? '#', 'aria-current': isAll && 'true' }, first),
      terms.map(({ name, address, slug }) => {
        const isChosen = filter?.slugs.includes(slug) === true
        const href = filter?.address(chosen(filter.slugs, slug, settings.isOn('multiple_selection'))) ?? address
        return h(
          'a',
          { class: ['e-filter-item'], href, 'aria-current': isChosen && 'true', 'data-term': filter && written(slug) },
          name,
        )
      }),
    )
  },
  controls: [
    choice(
      'direction_horizontal',
      { start: 'start', center: 'center', end: 'end', stretch: 'stretch' },
      '& .e-filter',
      'justify-content',
    ),
    choice(
      'item_alignment_horizontal',
      { start: 'start', center: 'center', end: 'end', stretch: 'stretch' },
      '& .e-filter',
      'justify-content',
    ),
    size('space_between', '& .e-filter', 'gap'),
    size('horizontal_spacing', '& .e-filter', 'gap'),
    color('normal_text_color', '& .e-filter-item', 'color'),
    color('background_color_background_color', '& .e-filter-item', 'background-color'),
    ...typography('typography', '& .e-filter-item'),
  ],
  defaults: [{ selector: '.e-filter-item', color: 'text', typography: 'accent' }],
  rules: `.e-filter{display:flex;flex-wrap:wrap;gap:8px}.e-filter-item{padding:8px 16px;text-decoration:none}
.builder .e-filter .e-filter-item[aria-current]{font-weight:700;text-decoration:underline}`,
  isUnread: true,
})

export const filterWidgets: WidgetTable = { 'taxonomy-filter': taxonomyFilter }
