/** Draws the tabs of new-generation elements: a menu of tabs and an area of panels, matched by position. */
import { type Element, readElement } from '../document/element.ts'
import { drawElement, drawElements, inside } from '../elements/draw.ts'
import { type Attributes, type Child, h } from '../html/nodes.ts'
import type { ElementType, Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { containerAttributes } from './containers.ts'
import { AtomicSettings } from './settings.ts'

const TAB = 'e-tab'
const PANEL = 'e-tab-content'

export const tabs: ElementType = (element, scope, pass) => {
  pass.behaviours.add('tabs')
  const settings = new AtomicSettings(element, { pass, scope })
  // The tab key has to reach one tab.
  const wanted = settings.number('default-active-tab') ?? 0
  const selected = Number.isInteger(wanted) && wanted >= 0 && wanted < countTabs(element) ? wanted : 0
  const parent = { id: element.id, type: 'e-tabs', settings: { selected }, index: 0 }
  const attributes = containerAttributes(settings, 'e-tabs', ['e-con'])
  return h('div', attributes, drawElements(element.children, { ...inside(scope), parent }, pass))
}

function countTabs({ children }: Element): number {
  const menus = children.map(readElement).filter((child) => child?.type === 'e-tabs-menu')
  return menus.flatMap((menu) => menu?.children ?? []).filter((child) => readElement(child)?.type === TAB).length
}

/** Draws the children and counts those of one type, so that the n-th tab opens the n-th panel whatever is between them. */
function drawParts(element: Element, type: string, scope: Scope, pass: Pass): Child {
  const { parent } = scope
  let index = -1
  return element.children.map((child) => {
    const isPart = readElement(child)?.type === type
    if (isPart) index++
    const inner = inside(scope)
    return drawElement(child, parent && isPart ? { ...inner, parent: { ...parent, index } } : inner, pass)
  })
}

export const tabsMenu: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const attributes = { ...containerAttributes(settings, 'e-tabs-menu', ['e-con']), role: 'tablist' }
  return h('div', attributes, drawParts(element, TAB, scope, pass))
}

export const tabsContentArea: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const attributes = containerAttributes(settings, 'e-tabs-content-area', ['e-con'])
  return h('div', attributes, drawParts(element, PANEL, scope, pass))
}

interface TabPosition {
  readonly tab: string
  readonly panel: string
  readonly isSelected: boolean
}

/** Returns undefined outside of tabs. */
function positionOf({ parent }: Scope): TabPosition | undefined {
  if (parent?.type !== 'e-tabs') return undefined
  const { id, index, settings } = parent
  return { tab: `${id}-tab-${index}`, panel: `${id}-tab-content-${index}`, isSelected: index === settings['selected'] }
}

/** Elements inside a tab or a panel have no position among the tabs. */
const insidePart = ({ parent: _, ...scope }: Scope): Scope => inside(scope)

export const tab: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const position = positionOf(scope)
  const selected = position?.isSelected ? ['e--selected'] : []
  const attributes: Attributes = {
    ...containerAttributes(settings, TAB, selected),
    type: 'button',
    role: 'tab',
    ...(position && {
      id: position.tab,
      'aria-controls': position.panel,
      'aria-selected': String(position.isSelected),
      tabindex: position.isSelected ? '0' : '-1',
    }),
  }
  return h('button', attributes, drawElements(element.children, insidePart(scope), pass))
}

export const tabContent: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const position = positionOf(scope)
  const attributes: Attributes = {
    ...containerAttributes(settings, PANEL, ['e-con', ...(position?.isSelected ? ['e--selected'] : [])]),
    role: 'tabpanel',
    ...(position && { id: position.panel, 'aria-labelledby': position.tab }),
  }
  return h('div', attributes, drawElements(element.children, insidePart(scope), pass))
}
