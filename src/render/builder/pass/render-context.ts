/** What a render is asked for, and what it answers. */

import type { Sheet } from '../css/sheets.ts'
import type { Warning } from '../document/warnings.ts'

/** A post of any type, an archive, or the page for an unknown address. */
export type TemplateContext =
  | { readonly post: number }
  | { readonly archive: 'posts' | 'date' | 'search' }
  | { readonly archive: 'author'; readonly user: number }
  | { readonly archive: 'term'; readonly term: number }
  | { readonly notFound: true }

/** For whom and where something is rendered. */
export interface RenderContext {
  /** The id of the reader; absent: a visitor. */
  readonly user?: number
  /** The current post. Default: the document, where it is a post or a page. */
  readonly post?: number
  /** Where the document is shown. */
  readonly place?: TemplateContext
  /** The address of the page, with its query. */
  readonly url?: string
  /** The address that the reader comes from, for display conditions. */
  readonly referrer?: string
  /** The page of the place's own list. Default: 1. */
  readonly page?: number
  /** Posts whose password the reader has entered. */
  readonly unlocked?: readonly number[]
  /** Milliseconds since 1970. Default: the clock of the api. */
  readonly now?: number
  readonly signal?: AbortSignal
}

/** A location that templates fill. */
export type RenderLocation = 'header' | 'footer' | 'single' | 'archive'

/** The HTML of a document with its style sheets, dependencies and warnings. */
export interface Rendered {
  readonly html: string
  /** In cascade order. */
  readonly css: readonly Sheet[]
  /** Font families that the sheets name, without generic ones. */
  readonly fonts: readonly string[]
  /** Names of scripts that a page may add: `carousel`, `tabs`. Everything is readable without them. */
  readonly behaviours: readonly string[]
  /** Class names that the sheets expect on `body`. */
  readonly bodyClasses: readonly string[]
  /** The readable text, for search and excerpts. */
  readonly text: string
  /** The records that the result depends on: `post:12`, `media:7`, `kit`. Sorted. */
  readonly dependencies: readonly string[]
  readonly warnings: readonly Warning[]
}
