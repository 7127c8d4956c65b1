/** Draws headings, paragraphs and buttons of new-generation elements. */

import { formatted } from '../html/markup.ts'
import { type Attributes, type Child, h, isNothing } from '../html/nodes.ts'
import type { ElementType } from '../pass/pass.ts'
import { classesOf, ownAttributes } from './attributes.ts'
import { baseClass } from './base-styles.ts'
import { AtomicSettings } from './settings.ts'

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

export const heading: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const text = settings.text('title', 'This is a title')
  const tag = settings.choice('tag', HEADINGS, 'h2')
  return linkedText(settings, { type: 'e-heading', tag, text, format: 'phrases' })
}

/** A `p` cannot contain these elements. */
const BLOCKS = /<(?:ul|ol|li|blockquote)\b/i

export const paragraph: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const text = settings.text('paragraph', 'Type your paragraph here')
  const tag = settings.choice('tag', ['p', 'span'], 'p')
  const outer = tag === 'p' && BLOCKS.test(text) ? 'div' : tag
  return linkedText(settings, { type: 'e-paragraph', tag: outer, text, format: 'paragraph' })
}

interface LinkedText {
  readonly type: string
  readonly tag: string
  readonly text: string
  readonly format: 'phrases' | 'paragraph'
}

function linkedText(settings: AtomicSettings, { type, tag, text, format }: LinkedText): Child {
  const link = settings.link()
  // Links do not nest.
  const content = formatted(text, format, { hasLinks: !link })
  if (isNothing(content)) return undefined
  const attributes: Attributes = { ...ownAttributes(settings), class: classesOf(settings, type) }
  if (!link) return h(tag, attributes, content)
  const inner = { ...link.attributes, class: [baseClass(`${type}-link`, settings.context.pass)] }
  return h(tag, attributes, h(link.tag, inner, content))
}

export const button: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const content = formatted(settings.text('text', 'Click here'), 'phrases', { hasLinks: false })
  if (isNothing(content)) return undefined
  const link = settings.link()
  const attributes = { ...ownAttributes(settings), class: classesOf(settings, 'e-button') }
  if (link?.tag === 'a') return h('a', { ...attributes, ...link.attributes }, content)
  return h('button', { ...attributes, ...link?.attributes, type: 'button' }, content)
}
