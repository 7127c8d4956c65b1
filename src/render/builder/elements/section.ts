/** Draws sections and columns, the layout elements of older documents. */

import { columnControls, sectionClasses, sectionControls } from '../controls/section.ts'
import { shapeDividers } from '../controls/shape-divider.ts'
import { createControlTable } from '../controls/write.ts'
import type { Settings } from '../document/settings.ts'
import { type Child, h } from '../html/nodes.ts'
import type { ElementType } from '../pass/pass.ts'
import { drawElements, inside } from './draw.ts'
import { settingsOf, wrapperAttributes, writeRules } from './wrapper.ts'

const TAGS = ['header', 'footer', 'main', 'article', 'section', 'aside', 'nav', 'div']
const OVERLAYS = ['classic', 'gradient']

const sectionTable = createControlTable(sectionControls)
const columnTable = createControlTable(columnControls)

const overlay = (settings: Settings): Child =>
  OVERLAYS.includes(settings.text('background_overlay_background')) && h('div', { class: 'builder-background-overlay' })

export const section: ElementType = (element, scope, pass) => {
  const settings = settingsOf(element, scope, pass)
  writeRules(element, settings, sectionTable, { scope, pass })
  const layout = settings.choice('layout', ['boxed', 'full_width'], 'boxed')
  const height = settings.choice(element.isInner ? 'height_inner' : 'height', ['full', 'min-height'], 'default')
  const position = settings.choice('column_position', ['top', 'middle', 'bottom', 'stretch'], 'middle')
  const gap = settings.choice('gap', ['no', 'narrow', 'extended', 'wide', 'wider', 'custom'], 'default')
  const attributes = wrapperAttributes(element, settings, pass, {
    type: 'section',
    classes: [
      'builder-section',
      element.isInner ? 'builder-inner-section' : 'builder-top-section',
      `builder-section-${layout}`,
      `builder-section-height-${height}`,
      height !== 'default' && `builder-section-items-${position}`,
    ],
    classControls: sectionClasses,
    userClasses: 'css_classes',
  })
  return h(
    settings.choice('html_tag', TAGS, 'section'),
    attributes,
    overlay(settings),
    shapeDividers(settings),
    h(
      'div',
      { class: ['builder-container', `builder-column-gap-${gap}`] },
      drawElements(element.children, inside(scope), pass),
    ),
  )
}

export const column: ElementType = (element, scope, pass) => {
  const settings = settingsOf(element, scope, pass)
  writeRules(element, settings, columnTable, { scope, pass })
  const size = Math.min(Math.max(Math.floor(settings.number('_column_size', 100)), 1), 100)
  const attributes = wrapperAttributes(element, settings, pass, {
    type: 'column',
    classes: ['builder-column', `builder-col-${size}`, element.isInner ? 'builder-inner-column' : 'builder-top-column'],
    userClasses: 'css_classes',
  })
  const isPopulated = element.children.length > 0
  return h(
    settings.choice('html_tag', TAGS, 'div'),
    attributes,
    h(
      'div',
      { class: ['builder-widget-wrap', isPopulated && 'builder-element-populated'] },
      isPopulated && overlay(settings),
      drawElements(element.children, inside(scope), pass),
    ),
  )
}
