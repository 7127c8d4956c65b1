/** Declares what a host adds to the engine, `createSiteApi({ render: { … } })`, and the values that its code reads. */

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

/** The widgets, dynamic tags, shortcodes, blocks, conditions, queries and services that a host adds to the engine. */
export interface RenderOptions {
  /** Widgets by type. A widget with the name of a built-in one replaces it. */
  readonly widgets?: { readonly [type: string]: HostWidget }
  /** Dynamic tags by name. */
  readonly tags?: { readonly [name: string]: HostTag }
  /** Shortcodes by name. */
  readonly shortcodes?: { readonly [name: string]: HostShortcode }
  /** Blocks of stored texts by name, such as `acme/notice`. A block with the name of a built-in one replaces it. */
  readonly blocks?: { readonly [name: string]: HostBlock }
  /** Display conditions by name. */
  readonly conditions?: { readonly [name: string]: HostCondition }
  /** Changes to the queries of loops, lists of posts and their refresh routes, by the setting `query_id`. */
  readonly queries?: { readonly [name: string]: HostQueryChange }
  /** Services that supply data from outside of the site. */
  readonly services?: HostServices
  /**
   * Whether a rendered document is reused until a record that it depends on changes. False: each call renders anew, for widgets and
   * tags of the host that read more than the records of the site. Default: true.
   */
  readonly cache?: boolean
}

/**
 * One attempt to draw a document. Code reads records through it, so that the result depends on them. A record that is not
 * loaded yet is undefined, and the document is drawn again after loading it.
 */
export interface HostPass {
  readonly context: RenderContext
  /** Milliseconds since 1970. Code that reads it calls `depend('vary:time')`. */
  readonly now: number
  readonly warnings: { add(code: WarningCode, element?: string): void }
  /** Adds a dependency that is no record: `option:<name>`, `vary:user`, `vary:time`, `vary:request`. */
  depend(tag: string): void
  post(id: number): Post | undefined
  user(id: number): User | undefined
  /** Returns the address of a post; empty while it is not loaded. */
  addressOf(id: number): string
  /** Returns whether the reader may see the post. */
  maySee(post: Post): boolean
  /** Returns the reader. The result is then cached for this reader only. */
  reader(): Actor
}

/** The position of an element. */
export interface HostScope {
  /** The id of the current post; 0 without one. */
  readonly post: number
  /** The ids of the documents around the element, outermost first. */
  readonly stack: readonly number[]
  /** The number of elements around the element. */
  readonly depth: number
  /** The number of loops around the element. */
  readonly loops: number
  /** The post of the innermost loop item, if the element is in a loop. */
  readonly loopItem?: number
}

interface Around {
  readonly pass: HostPass
  readonly scope: HostScope
}

/** The values that a dynamic tag reads. */
export interface HostTagContext extends Around {
  readonly settings: Settings
}

/**
 * Returns the value of a dynamic tag: HTML for a text, or an object for controls that store one: `{ url }` for links, `{ id,
 * url }` for images. Undefined counts as empty. The control filters and escapes the value.
 */
export type HostTag = (tag: HostTagContext) => unknown

/** The attributes and content of a shortcode. */
export interface HostShortcodeCall extends Around {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  /** The source between `[name]` and `[/name]`. */
  readonly inner?: string
}

/** Returns the HTML of a shortcode. */
export type HostShortcode = (call: HostShortcodeCall) => Child

/** The attributes of a block, and the blocks in it. */
export interface HostBlockCall extends Around {
  readonly name: string
  /** As they are stored: of any type, and written by users. */
  readonly attributes: { readonly [name: string]: unknown }
  /** Draws the content between the markers of the block. */
  inner(): Child
}

/**
 * Returns the HTML of a block in a stored text. It takes the place of the markup between the markers of the block, and is drawn anew
 * whenever a record that it has read is written.
 *
 * ```ts
 * import { type Block, h } from 'site-api/render'
 *
 * export const notice: Block = ({ attributes, inner }) => h('aside', { title: String(attributes.kind ?? '') }, inner())
 * ```
 */
export type HostBlock = (block: HostBlockCall) => Child

/** The values that a display condition reads. */
export interface HostConditionContext extends Around {
  /** The stored condition: `{ condition, comparator, … }`. */
  readonly stored: RawSettings
  readonly comparator: string
}

/** Returns whether an element is shown. */
export type HostCondition = (condition: HostConditionContext) => boolean

/** The query of a list, as its settings define it. The list itself sets the page, and always requires the status `publish`. */
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
  /** The order of the posts. Default: random, and stable for a day. */
  readonly order?: PostOrder
}

/** The values that a change of a query reads. */
export interface HostQueryContext extends Around {
  /** The id of the list element. */
  readonly element: string
  /** Counted from 1. */
  readonly page: number
  /** The number of posts on a page. */
  readonly size: number
}

/**
 * Returns another query for a list. It runs on each attempt to draw, so it has to return the same query for the same records;
 * it names the request, the clock or the reader with `pass.depend` when it reads them.
 */
export type HostQueryChange = (query: HostQuery, context: HostQueryContext) => HostQuery

/** The settings of a widget, and functions that most widgets use. */
export interface HostWidgetContext extends Around {
  /** The id of the element. */
  readonly id: string
  readonly settings: Settings
  /** Returns a text of the settings as HTML, filtered by the site's allow list. */
  html(name: string, byDefault?: string): Child
  /** Returns HTML like `html`, unfiltered when the author of the document may write unfiltered HTML. */
  rich(name: string, byDefault?: string): Child
  /** Returns a text without markup, for an attribute. */
  label(name: string, byDefault?: string): string
  /** Wraps the content in a link when the url value has an address; returns the content alone otherwise. */
  link(name: string, content: Child, attributes?: Attributes): Child
  /** Draws the image of a media value, in the size that `<sizeName>_size` names. */
  image(name: string, sizeName: string, attributes?: Attributes): Child
  icon(name: string, byDefault?: { readonly value: string; readonly library: string }): Child
  /** Returns the entries of a repeater, each as a context. */
  items(name: string): readonly HostWidgetContext[]
  /** Returns the HTML tag that a setting names: a heading or a box. */
  tag(name: string, byDefault: string): string
  /** Draws the children of the element. */
  children(): Child
  /** Draws one child of the element, counted from 0. */
  child(index: number): Child
}

/** A widget: its HTML, and the settings that it writes as rules and class names. */
export interface WidgetOf<Context> {
  /** Returns the content of the wrapper. Without content the wrapper is left out. */
  html(widget: Context): Child
  /** Settings that become rules; `&` is the selector of the element. */
  readonly controls?: readonly Control[]
  /** Settings that become class names of the wrapper. */
  readonly classes?: readonly ClassControl[]
  /** Further class names of the wrapper. */
  readonly wrapperClasses?: readonly string[] | ((widget: Context) => readonly string[])
  /** Settings that page scripts read: they are written into `data-settings`. */
  readonly scriptSettings?: readonly string[]
  /** CSS that the base sheet contains: it styles the widget without settings. */
  readonly rules?: string
  /** Colours and typography of the kit that apply until the element or a global sets others. */
  readonly defaults?: readonly WidgetDefault[]
  /** True: the widget has no plain text, such as a menu, a form or a list of other posts. */
  readonly isUnread?: boolean
  /** Returns why a site with these services never draws the widget. The answer to a save says so. Undefined: it is drawn. */
  readonly undrawn?: (services: HostServices) => string | undefined
}

/** A colour or typography of the kit that a widget uses. */
export interface WidgetDefault {
  /** A selector below the wrapper, such as `.builder-heading-title`. An empty one selects the wrapper itself. */
  readonly selector: string
  /** A colour of the kit, which `properties` take. Default: `['color']`. */
  readonly color?: string
  readonly properties?: readonly string[]
  /** True: the colour is that of the document, in which a section may set another for its texts. */
  readonly isInherited?: boolean
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
