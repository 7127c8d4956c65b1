/** Draws the pictures of posts as a grid of links, with the titles over them. */
import { color, compound, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { numberText } from '../../css/values.ts'
import { limits } from '../../document/limits.ts'
import { imageOf } from '../../elements/image.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import { listTerms } from '../../lists/terms.ts'
import { listPosts } from '../../queries/list.ts'
import { isFiltered } from '../../queries/reader-filters.ts'
import { readList, sizeOf } from '../../queries/settings.ts'
import { plainOf, postClasses, termsOf, titleOf, visiblePost } from '../../template-context/current-post.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'
import { columnClasses } from './columns.ts'
import { drawFilter, filterOf } from './filter.ts'
import { nothingFound } from './posts.ts'

function entry(id: number, element: WidgetContext): Child {
  const { settings, pass } = element
  const post = visiblePost(id, pass)
  if (!post) return undefined
  const title = titleOf(post, pass)
  const image = imageOf({ id: post.featuredMedia }, { sizeName: 'thumbnail_size', settings, pass, byDefault: 'medium' })
  const taxonomy = settings.text('taxonomy')
  const names = taxonomy === '' ? [] : termsOf(post, pass, taxonomy).map(({ name }) => name)
  return h(
    'article',
    { class: ['builder-portfolio-item', 'builder-grid-item', ...postClasses(id, pass)], role: 'listitem' },
    h(
      'a',
      { class: ['builder-post__thumbnail__link'], href: pass.addressOf(id), 'aria-label': plainOf(title) },
      h('div', { class: ['builder-portfolio-item__img', 'builder-post__thumbnail'] }, image),
      h(
        'div',
        { class: ['builder-portfolio-item__overlay'] },
        settings.isOn('show_title', 'yes') &&
          filled(element.tag('title_tag', 'h3'), { class: ['builder-portfolio-item__title'] }, filtered(title)),
        filled('div', { class: ['builder-portfolio-item__tags'] }, names.join(', ')),
      ),
    ),
  )
}

/** Without a script a term leads to the page with the filtered list. */
function filterBar(element: WidgetContext): Child {
  const { settings, pass, id } = element
  const taxonomy = settings.text('taxonomy')
  if (!settings.isOn('show_filter_bar') || taxonomy === '') return undefined
  const filter = filterOf(id, taxonomy, element)
  const terms = listTerms({ taxonomy, limit: limits.listed }, pass)
  return filter && drawFilter({ taxonomy, terms, first: 'All', filter })
}

const portfolio = widget({
  html: (element) => {
    const { settings, pass, scope, id } = element
    const bar = filterBar(element)
    const list = readList(settings, 'posts_')
    const perPage = sizeOf(settings.number('posts_per_page', 6))
    const { ids } = listPosts({ element: id, list, size: perPage, page: 1, pass, scope })
    const items = ids.map((one) => entry(one, element))
    if (isNothing(items)) return isFiltered(id, scope, pass) ? [bar, nothingFound(element)] : undefined
    const classes = ['builder-portfolio', 'builder-grid', 'builder-posts-container']
    return [bar, h('div', { class: classes, role: 'list' }, items)]
  },
  wrapperClasses: ({ settings }) => columnClasses(settings),
  controls: [
    size('column_gap', '&', '--grid-column-gap'),
    size('item_gap', '&', ['--grid-column-gap', '--grid-row-gap']),
    size('row_gap', '&', '--grid-row-gap'),
    compound(['item_ratio'], (values) => {
      const ratio = values.number('item_ratio')
      return ratio === undefined || ratio <= 0 ? undefined : [['&', [['--e-ratio', numberText(1 / ratio)]]]]
    }),
    color('color_background', '& .builder-portfolio-item__overlay', 'background-color'),
    color('color_title', '& .builder-portfolio-item__title', 'color'),
    ...typography('typography_title', '& .builder-portfolio-item__title'),
    color('color_filter', '& .e-filter-item', 'color'),
    color('color_filter_active', '& .e-filter-item[aria-current]', 'color'),
    size('filter_item_spacing', '& .e-filter', 'gap'),
    ...typography('typography_filter', '& .e-filter-item'),
  ],
  defaults: [
    { selector: '.builder-portfolio-item__overlay', color: 'accent', properties: ['background-color'] },
    { selector: '.builder-portfolio-item__title', typography: 'primary' },
    { selector: '.builder-portfolio-item__tags', typography: 'text' },
    { selector: '.e-filter-item', color: 'text', typography: 'accent' },
  ],
  // Readers who cannot hover see the titles too, and all readers those of posts without a picture.
  rules: `.builder-widget-portfolio{--grid-column-gap:10px;--grid-row-gap:10px;width:var(--container-widget-width);flex-grow:var(--container-widget-flex-grow)}
.builder-portfolio-item>a{position:relative;display:block;aspect-ratio:var(--e-ratio,1.5);overflow:hidden;background-color:#e6e9ec}
.builder-portfolio-item__img,.builder .builder-portfolio-item__img img{display:block;width:100%;height:100%;object-fit:cover}
.builder-portfolio-item__overlay{position:absolute;inset:0;display:flex;flex-direction:column;align-items:center;justify-content:center;
gap:10px;padding:10px;background-color:rgba(12,13,14,.85);color:#fff;text-align:center}
.builder-portfolio-item__title{margin:0;font-size:18px;color:#fff}
.builder-widget-portfolio .e-filter{margin-block-end:16px}
@media(hover:hover){.builder-portfolio-item__img:not(:empty)+.builder-portfolio-item__overlay{opacity:0;transition:opacity .25s}
.builder-portfolio-item>a:hover .builder-portfolio-item__overlay,.builder-portfolio-item>a:focus-visible .builder-portfolio-item__overlay{opacity:1}}`,
  isUnread: true,
})

export const portfolioWidgets: WidgetTable = { portfolio }
