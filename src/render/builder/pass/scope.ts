/** Where an element stands: its document, the post that it is about, and what surrounds it. */
import type { RawSettings } from '../document/values.ts'
import type { DocumentRecord } from '../records/documents.ts'
import type { HostScope } from './host.ts'

export interface Scope extends HostScope {
  readonly document: DocumentRecord
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
