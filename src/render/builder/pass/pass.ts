/**
 * One attempt to draw a document. The pass collects sheets, fonts and warnings while the elements are drawn. Records are read
 * through it, so that it notes every dependency.
 */

import type { Post, TermTree, User } from '../../../contract/storage.ts'
import { type Actor, actorOf, visitor } from '../../../core/declare/actor.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Settings as SiteSettings } from '../../../site/settings.ts'
import type { Layout } from '../../blocks/layout.ts'
import { bySettings, type Render } from '../../index.ts'
import { budgeted } from '../../text/budgeted.ts'
import type { Breakpoints } from '../css/breakpoints.ts'
import { type BasePart, Sheets } from '../css/sheets.ts'
import type { Element } from '../document/element.ts'
import { Warnings } from '../document/warnings.ts'
import type { Child } from '../html/nodes.ts'
import type { Kit } from '../kit/kit.ts'
import { type DocumentRecord, documents } from '../records/documents.ts'
import { addresses, type Medium, media, posts, users } from '../records/kinds.ts'
import type { RecordKind, Records } from '../records/records.ts'
import type {
  HostBlockCall,
  HostConditionContext,
  HostPass,
  HostQueryChange,
  HostShortcodeCall,
  HostTagContext,
} from './host.ts'
import type { RenderContext } from './render-context.ts'
import type { Scope } from './scope.ts'

// ---------------------------------------------------------------- what tables hold

/** Draws an element of one type, with its wrapper. */
export type ElementType = (element: Element, scope: Scope, pass: Pass) => Child

/** A built-in tag reads the whole pass and scope; a tag of a host reads their public part. */
export interface TagContext extends HostTagContext {
  readonly pass: Pass
  readonly scope: Scope
}

export type Tag = (tag: TagContext) => unknown

export interface TagTable {
  readonly [name: string]: Tag
}

export interface ShortcodeCall extends HostShortcodeCall {
  readonly pass: Pass
  readonly scope: Scope
}

/** A shortcode of the builder. The shortcodes of articles (`audio`, `video`, `caption`, `embed`) are in render/text. */
export type Shortcode = (call: ShortcodeCall) => Child

export interface ShortcodeTable {
  readonly [name: string]: Shortcode
}

export interface BlockCall extends HostBlockCall {
  readonly pass: Pass
  readonly scope: Scope
  /** Only on pages, whose style sheets know its classes. */
  readonly layout?: Layout
  /** Draws the blocks in it. Default: in its own scope. */
  inner(scope?: Scope): Child
  /** Draws the blocks in it together with the wrapper of the block, which is stored with them. */
  stored(scope: Scope): Child
  /** Draws each block in it by itself. Markup between them has no name. */
  pieces(scope: Scope): readonly DrawnPiece[]
}

export interface DrawnPiece {
  readonly name: string
  readonly drawn: Child
}

/** A block of stored texts that shows other rows than its post. */
export type Block = (block: BlockCall) => Child

export interface BlockTable {
  readonly [name: string]: Block
}

export interface ConditionContext extends HostConditionContext {
  readonly pass: Pass
  readonly scope: Scope
}

export type Condition = (condition: ConditionContext) => boolean

export interface ConditionTable {
  readonly [name: string]: Condition
}

/** The built-in widgets, tags, shortcodes and conditions, with the additions and replacements of the host. */
export interface Tables {
  elementType(element: Element): ElementType
  isKnown(element: Element): boolean
  /** Returns why the site never draws the element. */
  undrawn(element: Element): string | undefined
  tag(name: string): Tag | undefined
  shortcode(name: string): Shortcode | undefined
  /** Whether the name is one of these, or one of articles. */
  isShortcode(name: string): boolean
  block(name: string): Block | undefined
  /** Whether a stored text has blocks or shortcodes that show other rows or that the host defines. */
  isDrawn(content: string): boolean
  condition(name: string): Condition | undefined
  query(name: string): HostQueryChange | undefined
  /** Returns the parts of the base sheet with public names: the same objects for the same breakpoints. */
  baseParts(breakpoints: Breakpoints): readonly BasePart[]
  /** Draws a document inside another one, or inside a text. Absent: the site has no builder, and its posts show their texts. */
  readonly drawInside?: (document: DocumentRecord, scope: Scope, pass: Pass) => Child
  readonly text: Render
}

// ---------------------------------------------------------------- the pass

/** Asks for one page of one list; all other elements of the document are left out. */
export interface ListRefresh {
  /** The id of the element. */
  readonly element: string
  /** Counted from 1. */
  readonly page: number
  /** Lists only posts with these terms. */
  readonly terms?: readonly TermTree[]
}

interface PassOptions {
  readonly records: Records
  readonly tables: Tables
  readonly kit: Kit
  readonly context: RenderContext
  readonly now: number
  /** Bounds the units of work: elements and listed posts, and as many again for texts. */
  readonly units: number
  /** Returns whether the reader may see a post that is not published. */
  readonly mayRead: (post: Post, pass: Pass) => boolean
  readonly refresh?: ListRefresh | undefined
  /** Whether blocks of texts get the classes of their layouts. Default: false. */
  readonly hasLayout?: boolean | undefined
  /** Translates the names in texts with blocks. Default: the caller translates the whole result. */
  readonly publicMarkup?: ((html: string) => string) | undefined
}

export class Pass implements HostPass {
  readonly records: Records
  readonly tables: Tables
  readonly kit: Kit
  readonly context: RenderContext
  readonly now: number
  readonly warnings = new Warnings()
  readonly sheets = new Sheets()
  readonly dependencies: Set<string>
  readonly fonts = new Set<string>()
  readonly behaviours = new Set<string>()
  /** Comments before the document: the licences of its icons. */
  readonly credits = new Set<string>()
  /** Icons that no set has, and the package to install for each. */
  readonly missingIcons = new Map<string, string | undefined>()
  /** Elements whose rules are already written: a loop draws its template once per post. */
  readonly styled = new Set<object>()
  /** Widget types whose default rules are already written. */
  readonly usedWidgets = new Set<string>()
  /** Posts that lists of this page have shown. */
  readonly listed = new Set<number>()
  /** Posts whose content is being drawn, to detect a post inside itself. */
  readonly openPosts: Set<number>
  readonly refresh: ListRefresh | undefined
  /** Links to the other pages of the refreshed list, which follow the list. */
  refreshedLinks: Child = undefined
  /**
   * True: the pass draws for the plain text only. Lists of posts are left out, because they would draw each other's content.
   */
  readonly isForText: boolean
  readonly hasLayout: boolean
  readonly publicMarkup: (html: string) => string
  readonly #options: PassOptions
  readonly #closing: (() => void)[] = []
  readonly #rewriting: ((drawn: Child) => Child)[] = []
  #ids = 0
  #text: Render | undefined
  readonly #texts = new Map<string, string>()
  readonly #names = new Map<string, number>()
  /** The units of work, which all passes of one render share. */
  readonly #drawn: { elements: number; texts: number }

  constructor(options: PassOptions, around?: Pass) {
    const { records, tables, kit, context, now, refresh, hasLayout = false, publicMarkup = (html) => html } = options
    this.records = records
    this.tables = tables
    this.kit = kit
    this.context = context
    this.now = now
    this.refresh = refresh
    this.hasLayout = hasLayout
    this.publicMarkup = publicMarkup
    this.isForText = around !== undefined
    this.#options = options
    this.#drawn = around ? around.#drawn : { elements: 0, texts: 0 }
    this.dependencies = around?.dependencies ?? new Set(['kit'])
    this.openPosts = around?.openPosts ?? new Set()
  }

  /** Creates a pass whose sheets, fonts and scripts do not reach the page, for documents of which only the text is used. */
  aside(): Pass {
    return new Pass(this.#options, this)
  }

  /** Renders texts of posts by the settings of the site. */
  get text(): Render {
    this.#text ??= budgeted(bySettings(this.tables.text, this.site), {
      take: (units) => this.#takeText(units),
      show: () => true,
    })
    return this.#text
  }

  #takeText(units: number): boolean {
    if (this.#drawn.texts + units > this.#options.units) {
      this.warnings.add('too_many')
      return false
    }
    this.#drawn.texts += units
    return true
  }

  /** The work so far. */
  get units(): number {
    return this.#drawn.elements + this.#drawn.texts
  }

  get site(): SiteSettings {
    return this.records.source.site
  }

  get breakpoints(): Breakpoints {
    return this.kit.breakpoints
  }

  depend(tag: string): void {
    this.dependencies.add(tag)
  }

  /** Returns a text that is the same wherever the page shows it: lists name the same posts, and few different days. */
  once(key: string, write: () => string): string {
    const text = this.#texts.get(key) ?? write()
    this.#texts.set(key, text)
    return text
  }

  /** Counts an element, or something of more work. Returns false over the limit: it is left out. */
  admit(units = 1): boolean {
    if (this.#drawn.elements + units > this.#options.units) {
      this.warnings.add('too_many')
      return false
    }
    this.#drawn.elements += units
    return true
  }

  /** Returns a number that no other element of the page has: two blocks may have the same attributes. */
  nextId(): number {
    this.#ids++
    return this.#ids
  }

  /** Returns the name, with a number when another element of the page has it already. */
  uniqueName(name: string): string {
    const number = (this.#names.get(name) ?? 0) + 1
    this.#names.set(name, number)
    return number === 1 ? name : `${name}-${number}`
  }

  /** Registers a task that runs after the last element, for sheets that depend on all elements. */
  whenDrawn(task: () => void): void {
    this.#closing.push(task)
  }

  /** Runs once, after the outermost document. */
  close(): void {
    for (const task of this.#closing) task()
  }

  /** Registers a change of the whole tree, for elements that depend on those after them. */
  rewriteLast(change: (drawn: Child) => Child): void {
    this.#rewriting.push(change)
  }

  rewritten(drawn: Child): Child {
    return this.#rewriting.reduce((tree, change) => change(tree), drawn)
  }

  // ---------------------------------------------------------------- records, with their dependencies

  get<K extends string | number, V>(kind: RecordKind<K, V>, key: K): V | undefined {
    return this.records.get(kind, key)
  }

  post(id: number): Post | undefined {
    this.depend(`post:${id}`)
    return this.records.get(posts, id)
  }

  document(id: number): DocumentRecord | undefined {
    this.depend(`post:${id}`)
    return this.records.get(documents, id)
  }

  medium(id: number): Medium | undefined {
    this.depend(`media:${id}`)
    return this.records.get(media, id)
  }

  user(id: number): User | undefined {
    this.depend(`user:${id}`)
    return this.records.get(users, id)
  }

  addressOf(id: number): string {
    const post = this.post(id)
    // The path of a page contains the slugs of its ancestors.
    const above = new Set([id])
    for (let page = post; page?.type === 'page' && page.parent > 0 && !above.has(page.parent); ) {
      above.add(page.parent)
      page = this.post(page.parent)
    }
    this.depend('option:permalink')
    return this.records.get(addresses, id) ?? ''
  }

  // ---------------------------------------------------------------- rights

  /** Returns the reader. The result is then not shared with other readers. */
  reader(): Actor {
    this.depend('vary:user')
    const id = this.context.user ?? 0
    const user = id > 0 ? this.user(id) : undefined
    return user ? actorOf(user, this.site.roles) : visitor
  }

  /** Returns whether a post may be shown: it is published, it is the post of the page, or the reader may read it. */
  maySee(post: Post): boolean {
    if (post.status === 'publish' || post.status === 'inherit') return true
    const { post: given, templateContext } = this.context
    if (post.id === given || (templateContext && 'post' in templateContext && templateContext.post === post.id))
      return true
    return this.#options.mayRead(post, this)
  }

  /** Returns whether the last editor of a document may write unfiltered HTML now. */
  isTrusted({ editor }: DocumentRecord): boolean {
    if (editor === 0) return false
    this.depend('option:roles')
    const user = this.user(editor)
    return user !== undefined && !user.blocked && actorOf(user, this.site.roles).can('unfiltered_html')
  }
}

export const renderAborted = () => new ApiError('render_aborted', 'The render was given up.', 503)
/** Another document of the same request has taken its work: alone, this one could be drawn. */
export const renderOverBudget = () =>
  new ApiError('render_over_budget', 'The request has drawn as much as one request may.', 503)
export const renderTimeout = () => new ApiError('render_timeout', 'The document takes too long to render.', 503)
export const renderTooLarge = () =>
  new ApiError('render_too_large', 'The document renders to too much HTML and CSS.', 507)
