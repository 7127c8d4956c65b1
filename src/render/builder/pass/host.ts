/** What a host adds to the engine, `createSiteApi({ render: { … } })`, and what its code may read while a document is drawn. */

import type { Post, PostOrder, PostQuery, User } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { ClassControl } from '../controls/classes.ts'
import type { Control } from '../controls/control.ts'
import type { Settings } from '../document/settings.ts'
import type { RawSettings } from '../document/values.ts'
import type { WarningCode } from '../document/warnings.ts'
import type { Attributes, Child } from '../html/nodes.ts'
import type { HostServices } from '../records/host-services.ts'
import type { RenderContext } from './render-context.ts'

/** What a host adds to the engine: widgets, dynamic tags, shortcodes, conditions and outside answers. */
export interface RenderOptions {
  /** Widgets by type. One with the name of a built-in widget replaces it. */
  readonly widgets?: { readonly [type: string]: HostWidget }
  /** Dynamic tags by name. */
  readonly tags?: { readonly [name: string]: HostTag }
  /** Shortcodes by name. */
  readonly shortcodes?: { readonly [name: string]: HostShortcode }
  /** Display conditions by name. */
  readonly conditions?: { readonly [name: string]: HostCondition }
  /** Changes of the query of a list, by the name in its setting `query_id`: loops, posts and their refresh routes. */
  readonly queries?: { readonly [name: string]: HostQueryChange }
  /** Data from outside the records of the site. */
  readonly services?: HostServices
  /**
   * Whether a rendered document is reused until a record that it depends on changes. False: each call renders anew, for widgets and
   * tags of the host that read more than the records of the site. Default: true.
   */
  readonly cache?: boolean
}

/**
 * One attempt to draw a document. Records are read through it, so that the result depends on them: a record that is not loaded yet
 * is undefined, and the document is drawn again once it is.
 */
export interface HostPass {
  readonly context: RenderContext
  /** Milliseconds since 1970. What reads it calls `depend('vary:time')`. */
  readonly now: number
  readonly warnings: { add(code: WarningCode, element?: string): void }
  /** Names what the result is made of besides records: `option:<name>`, `vary:user`, `vary:time`, `vary:request`. */
  depend(tag: string): void
  post(id: number): Post | undefined
  user(id: number): User | undefined
  /** The address of a post; empty while it is not known. */
  addressOf(id: number): string
  /** Whether the reader may see the post. */
  maySee(post: Post): boolean
  /** Who reads. The result is then kept for this reader alone. */
  reader(): Actor
}

/** Where an element is. */
export interface HostScope {
  /** The id of the current post; 0: none. */
  readonly post: number
  /** The ids of the documents that are being drawn, outermost first. */
  readonly stack: readonly number[]
  /** The number of elements around this one. */
  readonly depth: number
  /** The number of loops around this element. */
  readonly loops: number
  /** The post of the innermost loop item, when there is one. */
  readonly loopItem?: number
}

interface Around {
  readonly pass: HostPass
  readonly scope: HostScope
}

/** What a dynamic tag can read. */
export interface HostTagContext extends Around {
  readonly settings: Settings
}

/**
 * A dynamic tag: a value that is read when the document is drawn. HTML of a text, or an object for controls that keep one:
 * `{ url }` for links, `{ id, url }` for images. Undefined: empty. The control that takes the value filters and escapes it.
 */
export type HostTag = (tag: HostTagContext) => unknown

/** A shortcode of a text: its attributes and content. */
export interface HostShortcodeCall extends Around {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  /** What is between `[name]` and `[/name]`, as written. */
  readonly inner?: string
}

/** A shortcode: the HTML of a call. */
export type HostShortcode = (call: HostShortcodeCall) => Child

/** What a condition can read. */
export interface HostConditionContext extends Around {
  /** The stored condition: `{ condition, comparator, … }`. */
  readonly stored: RawSettings
  readonly comparator: string
}

/** A display condition of elements: false leaves the element out. */
export type HostCondition = (condition: HostConditionContext) => boolean

/** Which posts a list shows, as its settings say. Its pages are the list's own, and it never shows a post that is not published. */
export interface HostQuery
  extends Pick<
    PostQuery,
    | 'types'
    | 'ids'
    | 'notIds'
    | 'authors'
    | 'notAuthors'
    | 'parents'
    | 'notParents'
    | 'slugs'
    | 'sticky'
    | 'withPassword'
    | 'dates'
    | 'terms'
    | 'search'
  > {
  /** Absent: at random, in an order that stays for a day. */
  readonly order?: PostOrder
}

/** What a change of a query can read. */
export interface HostQueryContext extends Around {
  /** The id of the element that lists. */
  readonly element: string
  /** From 1. */
  readonly page: number
  /** Posts on a page. */
  readonly size: number
}

/**
 * Another query in place of the one of the settings. It runs on each attempt to draw, so it answers the same for the same records; what
 * it reads of the request, the clock or the reader it names with `pass.depend`.
 */
export type HostQueryChange = (query: HostQuery, context: HostQueryContext) => HostQuery

/** What a widget works with: its settings, and the pieces that most widgets share. */
export interface HostWidgetContext extends Around {
  /** The id of the element. */
  readonly id: string
  readonly settings: Settings
  /** A text of the settings as HTML, filtered by the site's allow list. */
  html(name: string, byDefault?: string): Child
  /** As `html`, and unfiltered when the author of the document may write any HTML. */
  rich(name: string, byDefault?: string): Child
  /** A text without markup, for an attribute. */
  label(name: string, byDefault?: string): string
  /** The content inside a link, when the url value has an address; else the content alone. */
  link(name: string, content: Child, attributes?: Attributes): Child
  /** The image of a media value, in the size that `<sizeName>_size` names. */
  image(name: string, sizeName: string, attributes?: Attributes): Child
  icon(name: string, byDefault?: { readonly value: string; readonly library: string }): Child
  /** The entries of a repeater, each with the same pieces. */
  items(name: string): readonly HostWidgetContext[]
  /** The HTML tag that a setting names: a heading or a box. */
  tag(name: string, byDefault: string): string
  /** The elements inside this one. */
  children(): Child
  /** One of the elements inside, from 0. */
  child(index: number): Child
}

/** A widget: its HTML, and the settings that become rules and class names. */
export interface WidgetOf<Context> {
  /** What is inside the wrapper. Nothing: the wrapper is left out. */
  html(widget: Context): Child
  /** Settings that become rules; `&` is the element's own selector. */
  readonly controls?: readonly Control[]
  /** Settings that become class names of the wrapper. */
  readonly classes?: readonly ClassControl[]
  /** Further class names of the wrapper. */
  readonly wrapperClasses?: readonly string[] | ((widget: Context) => readonly string[])
  /** Settings that a script of the page may need: they are written into `data-settings`. */
  readonly scriptSettings?: readonly string[]
  /** How it looks without any setting: CSS for the base sheet. */
  readonly rules?: string
  /** Colours and typography of the kit that count until the element or a global sets its own. */
  readonly defaults?: readonly WidgetDefault[]
  /** True: nothing of it is plain text. Menus, forms and lists of other posts. */
  readonly isUnread?: boolean
}

/** A colour or typography of the kit that a widget uses. */
export interface WidgetDefault {
  /** Below the wrapper: `.builder-heading-title`; empty for the wrapper itself. */
  readonly selector: string
  /** A colour of the kit, and the properties that take it. Default: `color`. */
  readonly color?: string
  readonly properties?: readonly string[]
  /** A typography of the kit. */
  readonly typography?: string
}

/** A widget of a host. */
export type HostWidget = WidgetOf<HostWidgetContext>

/**
 * Returns its argument with its type checked.
 *
 * ```ts
 * import { h, widget } from 'site-api/render'
 *
 * export const hello = widget({ html: ({ settings }) => h('p', {}, settings.text('name')) })
 * ```
 */
export const hostWidget = (declared: HostWidget): HostWidget => declared
