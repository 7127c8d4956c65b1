/** Draws the path from the front page to the shown page. */
import { choice, color } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { type Child, filled, h } from '../../html/nodes.ts'
import type { Pass } from '../../pass/pass.ts'
import { type TermRecord, terms } from '../../records/kinds.ts'
import { currentPost, plainOf, termsOf, titleOf, visiblePost } from '../../template-context/current-post.ts'
import { archiveOf, pageTitle } from '../../template-context/page.ts'
import { ALIGN } from '../content/text.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

interface Step {
  readonly title: string
  readonly address: string
}

/** A page or term that is above itself ends at this depth. */
const maxSteps = 20

function pagesAbove(parent: number, pass: Pass): Step[] {
  const steps: Step[] = []
  for (let id = parent; id > 0 && steps.length < maxSteps; ) {
    const page = visiblePost(id, pass)
    if (page?.status !== 'publish') break
    steps.unshift({ title: plainOf(titleOf(page, pass)), address: pass.addressOf(page.id) })
    id = page.parent
  }
  return steps
}

function termPath(id: number, pass: Pass): Step[] {
  const steps: Step[] = []
  for (let next = id; next > 0 && steps.length < maxSteps; ) {
    pass.depend(`term:${next}`)
    const term: TermRecord | undefined = pass.get(terms, next)
    if (!term) break
    steps.unshift({ title: term.name, address: term.address })
    next = term.parent
  }
  return steps
}

function stepsOf({ scope, pass }: WidgetContext): readonly Step[] {
  const archive = archiveOf(pass)
  if (archive?.archive === 'term') return termPath(archive.term, pass)
  const post = archive ? undefined : currentPost(scope, pass)
  const title = plainOf(pageTitle(scope, pass, false))
  const last = title === '' ? [] : [{ title, address: '' }]
  if (!post) return last
  const [category] = termsOf(post, pass, 'category')
  const above = post.type === 'page' ? pagesAbove(post.parent, pass) : category ? termPath(category.id, pass) : []
  return [...above, ...last]
}

const breadcrumbs = widget({
  html: (element) => {
    const { pass } = element
    pass.depend('option:url')
    const steps = stepsOf(element)
    if (steps.length === 0) return undefined
    const items = steps.map(({ title, address }, index) => {
      const isLast = index === steps.length - 1
      const shown: Child =
        isLast || address === ''
          ? h('span', { 'aria-current': isLast ? 'page' : undefined }, title)
          : h('a', { href: address }, title)
      return h('li', {}, shown)
    })
    const home = h('li', {}, h('a', { href: `${pass.site.home}/` }, 'Home'))
    return h('nav', { class: ['builder-breadcrumbs'], 'aria-label': 'Breadcrumbs' }, filled('ol', {}, home, items))
  },
  controls: [
    choice('align', ALIGN, '&', 'text-align'),
    choice('alignment', ALIGN, '&', 'text-align'),
    color('text_color', '&', 'color'),
    color('link_color', '& a', 'color'),
    color('link_hover_color', '& a:hover', 'color'),
    ...typography('typography', '&'),
    ...typography('text_typography', '&'),
  ],
  defaults: [{ selector: '', typography: 'secondary' }],
  rules: `.builder-breadcrumbs>ol{display:inline-flex;flex-wrap:wrap;list-style:none;margin:0;padding:0}
.builder-breadcrumbs li+li::before{content:"/";margin-inline:.5em}`,
  isUnread: true,
})

export const breadcrumbWidgets: WidgetTable = {
  breadcrumbs,
  'rank-math-breadcrumb': breadcrumbs,
  'woocommerce-breadcrumb': breadcrumbs,
}
