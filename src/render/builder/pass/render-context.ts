/** The context of a render, and its result. */

import type { Sheet } from '../css/sheets.ts'
import type { PopupRules } from '../document/popup-rules.ts'
import type { Warning } from '../document/warnings.ts'

/** The page that a template is drawn for: a post of any type, an archive, or the page for an unknown address. */
export type TemplateContext =
  | { readonly post: number }
  | { readonly archive: 'posts' | 'date' | 'search' }
  | { readonly archive: 'author'; readonly user: number }
  | { readonly archive: 'term'; readonly term: number }
  | { readonly notFound: true }

/** The reader, the page and the time of a render. */
export interface RenderContext {
  /** The id of the reader. Default: a visitor. */
  readonly user?: number
  /** The current post. Default: the document, when it is a post or a page. */
  readonly post?: number
  /** The page on which the document is shown. */
  readonly templateContext?: TemplateContext
  /** The address of the page, with its query. */
  readonly url?: string
  /** The address of the referring page, for display conditions. */
  readonly referrer?: string
  /** The page of the archive. Default: 1. */
  readonly page?: number
  /** Posts whose password the reader has entered. */
  readonly unlocked?: readonly number[]
  /** True: with the copy of the global classes that is prepared, for whoever previews the page. Default: as visitors see it. */
  readonly preview?: boolean
  /** Milliseconds since 1970. Default: the clock of the api. */
  readonly now?: number
  readonly signal?: AbortSignal
}

/** A location that templates fill. */
export type RenderLocation = 'header' | 'footer' | 'single' | 'archive'

/** Where templates lie over a page: any number of them. */
export type OverlayLocation = 'popup' | 'floating-buttons'

/** The HTML of a document with its style sheets, dependencies and warnings. */
export interface Rendered {
  readonly html: string
  /** Sheets in cascade order. */
  readonly css: readonly Sheet[]
  /** Font families that the sheets use, without generic ones. */
  readonly fonts: readonly string[]
  /** Names of scripts that improve the page: `carousel`, `tabs`. The page is readable without them. */
  readonly behaviours: readonly string[]
  /** Class names that the sheets require on `body`. */
  readonly bodyClasses: readonly string[]
  /** The plain text, for search and excerpts. */
  readonly text: string
  /** The records on which the result depends, sorted: `post:12`, `media:7`, `kit`. */
  readonly dependencies: readonly string[]
  readonly warnings: readonly Warning[]
  /** The ids of the popups that links of the document open. */
  readonly popups: readonly number[]
}

/** A popup or floating buttons, with their element around. */
export interface RenderedOverlay extends Rendered {
  readonly id: number
  readonly location: OverlayLocation
  /** When a popup opens and closes by itself; `data-popup` of its element has the same. */
  readonly rules?: PopupRules
}
