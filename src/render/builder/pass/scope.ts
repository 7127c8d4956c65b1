/** Describes the position of an element: its document, the current post, and the elements around it. */
import type { RawSettings } from '../document/values.ts'
import type { DocumentRecord } from '../records/documents.ts'
import type { HostScope } from './host.ts'

export interface Scope extends HostScope {
  readonly document: DocumentRecord
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
