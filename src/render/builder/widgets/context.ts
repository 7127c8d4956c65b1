/** What a widget works with: its settings, and the pieces that most widgets share. */
import type { Element } from '../document/element.ts'
import type { Settings } from '../document/settings.ts'
import { drawElements, inside } from '../elements/draw.ts'
import { imageOf } from '../elements/image.ts'
import { linkAttributes } from '../elements/link.ts'
import { filtered, unfiltered } from '../html/markup.ts'
import { type Attributes, type Child, h, isNothing } from '../html/nodes.ts'
import { withoutMarkup } from '../html/plain-text.ts'
import type { HostWidgetContext } from '../pass/host.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { type Icon, iconOf } from './icon.ts'

interface Parts {
  readonly element: Element
  readonly settings: Settings
  readonly scope: Scope
  readonly pass: Pass
}

export class WidgetContext implements HostWidgetContext {
  readonly element: Element
  readonly settings: Settings
  readonly scope: Scope
  readonly pass: Pass

  constructor({ element, settings, scope, pass }: Parts) {
    this.element = element
    this.settings = settings
    this.scope = scope
    this.pass = pass
  }

  get id(): string {
    return this.element.id
  }

  /** A text of the settings as HTML, filtered by the site's allow list. */
  html(name: string, byDefault = ''): Child {
    return filtered(this.settings.text(name, byDefault))
  }

  /** As it is when the author of the document may write unfiltered HTML; filtered otherwise, and when it is dynamic. */
  rich(name: string, byDefault = '', change: (safe: Child) => Child = (safe) => safe): Child {
    const text = this.settings.text(name, byDefault)
    if (text === '') return ''
    const isRaw = !this.settings.isDynamic(name) && this.pass.isTrusted(this.scope.document)
    return change(isRaw ? unfiltered(text) : filtered(text))
  }

  /** The content inside a link, when the url value has an address; else the content alone. */
  link(name: string, content: Child, attributes: Attributes = {}): Child {
    const link = this.linkAttributes(name)
    return link && !isNothing(content) ? h('a', { ...link, ...attributes }, content) : content
  }

  linkAttributes(name: string): Attributes | undefined {
    return linkAttributes(this.settings.value(name))
  }

  /** The image of a media value, in the size that `<sizeName>_size` names. */
  image(name: string, sizeName: string, attributes: Attributes = {}): Child {
    return imageOf(this.settings.value(name), { sizeName, settings: this.settings, pass: this.pass, attributes })
  }

  /** The default icon is written when the setting is absent, as `{ value, library }`. */
  icon(name: string, byDefault?: Icon): Child {
    const stored = this.settings.value(name)
    return iconOf(stored === undefined ? byDefault : stored, this.pass)
  }

  /** The entries of a repeater, each with the same pieces. */
  items(name: string): WidgetContext[] {
    const { element, scope, pass } = this
    return this.settings.items(name).map((settings) => new WidgetContext({ element, settings, scope, pass }))
  }

  /** A text without markup, for an attribute. */
  label(name: string, byDefault = ''): string {
    return withoutMarkup(this.settings.text(name, byDefault))
  }

  /** The child at a place, for widgets that give each child a box of its own. */
  child(index: number): Child {
    return drawElements(this.element.children.slice(index, index + 1), inside(this.scope), this.pass)
  }

  /** The elements inside this one. */
  children(): Child {
    return drawElements(this.element.children, inside(this.scope), this.pass)
  }

  /** The tag that a setting names: a heading or a box. */
  tag(name: string, byDefault: string): string {
    const stored = this.settings.text(name)
    if (stored === '') return byDefault
    return TAGS.has(stored) ? stored : 'div'
  }
}

const TAGS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 div span p a article aside button footer header main nav section'.split(' '),
)
