/** Draws the terms by which readers filter a list. Without a script their links lead to the page with the filtered list. */
import { choice, color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { limits } from '../../document/limits.ts'
import { nameOf } from '../../document/values.ts'
import { type Child, h, isNothing, written } from '../../html/nodes.ts'
import { listTerms } from '../../lists/terms.ts'
import { listsOf } from '../../queries/lists-of-document.ts'
import { filteredAddress } from '../../queries/pagination.ts'
import { filterName, parseFilter } from '../../queries/reader-filters.ts'
import type { ListedTerm } from '../../records/lists.ts'
import { requestValue } from '../../template-context/page.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

interface ListFilter {
  readonly list: string
  /** Joins several terms in an address; absent where a reader chooses one. */
  readonly separator?: string
  /** The terms by which the list is filtered now. */
  readonly slugs: readonly string[]
  /** Returns the address of the page with the list of these terms. */
  readonly address: (slugs: readonly string[]) => string
}

interface FilterBar {
  readonly taxonomy: string
  readonly terms: readonly ListedTerm[]
  /** Links to the whole list. */
  readonly first: Child
  /** Absent for a list that is not in the document: the links lead to the archives of the terms. */
  readonly filter?: ListFilter
}

/** Returns undefined where no list of the document has this id. */
export function filterOf(list: string, taxonomy: string, { scope, pass }: WidgetContext, separator?: string) {
  if (list === '' || !listsOf(scope.document).lists.has(list)) return undefined
  const name = filterName(list, taxonomy)
  const filter: ListFilter = {
    list,
    ...(separator ? { separator } : {}),
    slugs: parseFilter(requestValue(name, pass)).slugs,
    address: (slugs) => filteredAddress({ name, value: slugs.join(separator), list }, pass),
  }
  pass.behaviours.add('list')
  return filter
}

/** A chosen term is given up by its link. */
function chosen({ slugs, separator }: ListFilter, slug: string): readonly string[] {
  if (slugs.includes(slug)) return separator ? slugs.filter((one) => one !== slug) : []
  return separator ? [...slugs, slug] : [slug]
}

export function drawFilter({ taxonomy, terms, first, filter }: FilterBar): Child {
  if (terms.length === 0) return undefined
  const forScript = filter && {
    'data-list': written(filter.list),
    'data-taxonomy': written(taxonomy),
    ...(filter.separator ? { 'data-join': filter.separator } : {}),
  }
  const item = (label: Child, href: string, isChosen: boolean, slug: string) =>
    h(
      'a',
      { class: ['e-filter-item'], href, 'aria-current': isChosen && 'true', 'data-term': filter && written(slug) },
      label,
    )
  const isAll = !filter || filter.slugs.length === 0
  return h(
    'nav',
    { class: ['e-filter'], 'aria-label': 'Filter', ...forScript },
    !isNothing(first) && item(first, filter?.address([]) ?? '#', isAll, ''),
    terms.map(({ name, address, slug }) =>
      item(name, filter?.address(chosen(filter, slug)) ?? address, filter?.slugs.includes(slug) === true, slug),
    ),
  )
}

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
    const first = settings.isOn('show_first_item', 'yes') && element.html('first_item_title', 'All')
    const joined = settings.text('logical_combination') === 'AND' ? '+' : ','
    const separator = settings.isOn('multiple_selection') ? joined : undefined
    const filter = filterOf(nameOf(settings.value('selected_element')), taxonomy, element, separator)
    return drawFilter({ taxonomy, terms, first, ...(filter ? { filter } : {}) })
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
