/** The settings of a widget, and functions that most widgets use. */
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

  /** Returns a text of the settings as HTML, filtered by the site's allow list. */
  html(name: string, byDefault = ''): Child {
    return filtered(this.settings.text(name, byDefault))
  }

  /**
   * Returns unfiltered HTML when the author of the document may write it and the text is not dynamic; filtered HTML otherwise.
   */
  rich(name: string, byDefault = '', change: (safe: Child) => Child = (safe) => safe): Child {
    const text = this.settings.text(name, byDefault)
    if (text === '') return ''
    const isRaw = !this.settings.isDynamic(name) && this.pass.isTrusted(this.scope.document)
    return change(isRaw ? unfiltered(text) : filtered(text))
  }

  /** Wraps the content in a link when the url value has an address; returns the content alone otherwise. */
  link(name: string, content: Child, attributes: Attributes = {}): Child {
    const link = this.linkAttributes(name)
    return link && !isNothing(content) ? h('a', { ...link, ...attributes }, content) : content
  }

  linkAttributes(name: string): Attributes | undefined {
    return linkAttributes(this.settings.value(name))
  }

  /** Draws the image of a media value, in the size that `<sizeName>_size` names. */
  image(name: string, sizeName: string, attributes: Attributes = {}): Child {
    return imageOf(this.settings.value(name), { sizeName, settings: this.settings, pass: this.pass, attributes })
  }

  /** Draws an icon; the default `{ value, library }` applies when the setting is absent, also under its earlier name. */
  icon(name: string, byDefault?: Icon, earlierName?: string): Child {
    return iconOf(this.iconValue(name, earlierName) ?? byDefault, this.pass)
  }

  /** Returns the stored icon. Documents of the first years store a text under another name: `icon: 'fa fa-star'`. */
  iconValue(name: string, earlierName?: string): unknown {
    const stored = this.settings.value(name)
    if (stored !== undefined || earlierName === undefined) return stored
    const earlier = this.settings.value(earlierName)
    return typeof earlier === 'string' ? earlier : undefined
  }

  /** Returns the entries of a repeater, each as a context. */
  items(name: string): WidgetContext[] {
    const { element, scope, pass } = this
    return this.settings.items(name).map((settings) => new WidgetContext({ element, settings, scope, pass }))
  }

  /** Returns a text without markup, for an attribute. */
  label(name: string, byDefault = ''): string {
    return withoutMarkup(this.settings.text(name, byDefault))
  }

  /** Draws one child, for widgets that wrap each child. */
  child(index: number): Child {
    return drawElements(this.element.children.slice(index, index + 1), inside(this.scope), this.pass)
  }

  /** Draws the children of the element. */
  children(): Child {
    return drawElements(this.element.children, inside(this.scope), this.pass)
  }

  /** Returns the HTML tag that a setting names: a heading or a box. */
  tag(name: string, byDefault: string): string {
    const stored = this.settings.text(name)
    if (stored === '') return byDefault
    return TAGS.has(stored) ? stored : 'div'
  }
}

const TAGS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 div span p a article aside button footer header main nav section'.split(' '),
)
