/** Describes the position of an element: its document, the current post, and the elements around it. */
import type { Post } from '../../../contract/storage.ts'
import type { Comment } from '../../../site/comments/comment.ts'
import type { Threaded } from '../../../site/comments/threads.ts'
import type { RawSettings } from '../document/values.ts'
import type { DocumentRecord } from '../records/documents.ts'
import type { HostScope } from './host.ts'

/** A list that is shown page by page. */
export interface PagedList {
  /** Counted from 1. */
  readonly page: number
  readonly pages: number
  /** Returns the address of another page. */
  readonly address: (page: number) => string
}

/** The posts of the query around a block. */
export interface BlockQuery extends PagedList {
  readonly ids: readonly number[]
  /** The columns that older texts store with the query. */
  readonly columns: number | undefined
}

/** The comments of the block around a template: those of one page. */
export interface BlockComments extends PagedList {
  readonly post: Post
  readonly threads: readonly Threaded<Comment>[]
  readonly total: number
}

/** The menu around a link. */
export interface BlockNavigation {
  /** Submenus of one menu are open one at a time. */
  readonly name: string
  /** Whether the label of a submenu opens it, in place of the sign beside it. */
  readonly opensOnLabel: boolean
  readonly depth: number
}

/** Values that a block reads from the blocks around it. Texts of other posts do not see them. */
export interface BlocksAround {
  readonly query?: BlockQuery
  readonly navigation?: BlockNavigation
  readonly comments?: BlockComments
  /** The comment that a template is drawn for. */
  readonly comment?: Comment
  /** The list whose links a block draws, and how they look. */
  readonly paging?: PagedList & { readonly arrow: string; readonly hasLabels: boolean }
}

export interface Scope extends HostScope {
  readonly document: DocumentRecord
  /** Absent outside of texts with blocks. */
  readonly around?: BlocksAround
  /** Values that an instance overrides in the component around this element, by override key. */
  readonly overrides?: ReadonlyMap<string, unknown>
  /** The global widget around this element, whose rules have the class of the widget. */
  readonly globalWidget?: number
  /** The stored root element of the global widget; other elements of the widget are inside it. */
  readonly globalRoot?: object
  /** The settings of the parent element, for elements whose output depends on their position in it. */
  readonly parent?: {
    readonly id: string
    readonly type: string
    readonly settings: RawSettings
    readonly index: number
  }
}
