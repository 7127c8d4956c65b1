/** Draws containers, the layout element of classic documents: flex or grid, boxed or full width. */

import { prefixClass } from '../controls/classes.ts'
import { containerControls } from '../controls/container.ts'
import { shapeDividers } from '../controls/shape-divider.ts'
import { createControlTable } from '../controls/write.ts'
import { h } from '../html/nodes.ts'
import type { ElementType } from '../pass/pass.ts'
import { drawElements, inside } from './draw.ts'
import { linkAttributes } from './link.ts'
import { settingsOf, wrapperAttributes, writeRules } from './wrapper.ts'

const TAGS = ['header', 'footer', 'main', 'article', 'section', 'aside', 'nav', 'a']

const table = createControlTable(containerControls)
const classControls = [
  prefixClass('position', 'builder-', { map: (value) => (['absolute', 'fixed'].includes(value) ? value : undefined) }),
]

export const container: ElementType = (element, scope, pass) => {
  const settings = settingsOf(element, scope, pass)
  writeRules(element, settings, table, { scope, pass })
  const isGrid = settings.text('container_type') === 'grid'
  const isBoxed = settings.text('content_width', 'boxed') !== 'full'
  const tag = settings.choice('html_tag', TAGS, 'div')
  const link = tag === 'a' ? linkAttributes(settings.value('link')) : undefined
  const attributes = wrapperAttributes(element, settings, pass, {
    type: 'container',
    classes: [
      isGrid ? 'e-grid' : 'e-flex',
      isBoxed ? 'e-con-boxed' : 'e-con-full',
      'e-con',
      element.isInner ? 'e-child' : 'e-parent',
    ],
    classControls,
    userClasses: 'css_classes',
    ...(link ? { attributes: link } : {}),
  })
  const children = drawElements(element.children, inside(scope), pass)
  // An `a` without an address is no link, so a `div` replaces it.
  const name = tag === 'a' && !link ? 'div' : tag
  return h(name, attributes, shapeDividers(settings), isBoxed ? h('div', { class: 'e-con-inner' }, children) : children)
}
