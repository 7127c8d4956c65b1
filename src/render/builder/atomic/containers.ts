/** Containers of the new generation. */
import { drawElements, inside } from '../elements/draw.ts'
import { type Attributes, type ClassList, h } from '../html/nodes.ts'
import type { ElementType } from '../pass/pass.ts'
import { classesOf, ownAttributes } from './attributes.ts'
import { AtomicSettings } from './settings.ts'

const TAGS = ['header', 'section', 'article', 'aside', 'footer', 'main', 'nav']

/** Returns the wrapper attributes that containers and the parts of tabs share. */
export const containerAttributes = (settings: AtomicSettings, type: string, classes: ClassList = []): Attributes => ({
  ...ownAttributes(settings),
  class: [
    'builder-element',
    `builder-element-${settings.element.id}`,
    ...classes,
    'e-atomic-element',
    ...classesOf(settings, type),
  ],
  'data-id': settings.element.id,
  'data-element_type': type,
  'data-e-type': type,
})

const createContainer =
  (type: string): ElementType =>
  (element, scope, pass) => {
    const settings = new AtomicSettings(element, { pass, scope })
    const link = settings.link()
    const isButton = link?.tag === 'button' ? { type: 'button' } : {}
    const attributes = { ...containerAttributes(settings, type, ['e-con']), ...link?.attributes, ...isButton }
    const tag = link?.tag ?? settings.choice('tag', TAGS, 'div')
    return h(tag, attributes, drawElements(element.children, inside(scope), pass))
  }

export const divBlock = createContainer('e-div-block')
export const flexbox = createContainer('e-flexbox')
export const grid = createContainer('e-grid')
