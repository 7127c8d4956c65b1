/** Widgets that are in no table: their usual texts, images and children, in the order of the settings. */

import { fileAddress, linkAddress } from '../document/addresses.ts'
import { isObject, ownValue, textOf } from '../document/values.ts'
import { imageOf } from '../elements/image.ts'
import { filtered } from '../html/markup.ts'
import { type Child, filled, h } from '../html/nodes.ts'
import type { WidgetContext } from './context.ts'
import type { Widget } from './widget.ts'

const TEXTS: ReadonlySet<string> = new Set(
  'title title_text heading text description description_text content editor html button button_text'.split(' '),
)

export const unknownWidget: Widget = {
  html: (widget) => [Object.keys(widget.settings.raw).map((name) => part(widget, name)), widget.children()],
}

function part(widget: WidgetContext, name: string): Child {
  if (name.startsWith('_')) return undefined
  const value = widget.settings.value(name)
  if (TEXTS.has(name)) return filled('div', {}, filtered(textOf(value)))
  if (!isObject(value) || !Object.hasOwn(value, 'url')) return undefined
  if (Object.hasOwn(value, 'is_external') || Object.hasOwn(value, 'nofollow')) return linkPart(value)
  const { settings, pass } = widget
  return /\.(?:avif|gif|jpe?g|png|svg|webp)$|^data:image/i.test(fileAddress(textOf(ownValue(value, 'url'))))
    ? imageOf(value, { sizeName: name, settings, pass })
    : undefined
}

function linkPart(value: { readonly [name: string]: unknown }): Child {
  const href = linkAddress(textOf(ownValue(value, 'url')))
  return href === '' || href === '#' ? undefined : h('a', { href }, href)
}
