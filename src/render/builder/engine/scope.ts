/** Where an element stands: its document, the post that it is about, and what surrounds it. */
import type { RawSettings } from '../document/values.ts'
import type { DocumentRecord } from '../records/documents.ts'

export interface Scope {
  readonly document: DocumentRecord
  /** The id of the current post; 0: none. */
  readonly post: number
  /** The documents that are being written, outermost first. */
  readonly stack: readonly number[]
  /** The number of elements around this one. */
  readonly depth: number
  /** The post of the innermost loop item, when there is one. */
  readonly loopItem?: number
  /** The number of loops around this element. */
  readonly loops: number
  /** The values that an instance gives to the component that is being written, by override key. */
  readonly overrides?: ReadonlyMap<string, unknown>
  /** The global widget that is being written: its rules have a class of their own. */
  readonly globalWidget?: number
  /** The stored element that stands for the whole global widget; others are inside it. */
  readonly globalRoot?: object
  /** The settings of the parent element, for elements that depend on their place in it. */
  readonly parent?: {
    readonly id: string
    readonly type: string
    readonly settings: RawSettings
    readonly index: number
  }
}
