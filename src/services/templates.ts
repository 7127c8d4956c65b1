/** Reads a catalogue of templates outside the site: the source `remote` of the template library. Default: none. */

import type { Json, MaybePromise } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'

/** A template as the catalogue lists it. */
export interface CatalogueTemplate {
  /** Letters, digits, `.`, `_` and `-`; 100 characters at most. */
  readonly id: string
  readonly title: string
  /** `page`, `block`, `popup`, … */
  readonly type: string
  /** Editors offer blocks and popups by it. */
  readonly category?: string
  /** The address of a picture. */
  readonly thumbnail?: string
  /** The address of a page that shows it. */
  readonly url?: string
  readonly author?: string
  readonly tags?: readonly string[]
  /** When it was published: ISO 8601, or any text that `Date.parse` accepts. */
  readonly date?: string
}

/** A template as a file has it: what the library exports and takes. */
export interface TemplateFile {
  readonly title: string
  readonly type: string
  readonly content: readonly { readonly [member: string]: Json }[]
  readonly page_settings?: { readonly [name: string]: Json }
  /** The global classes that the elements name: `{ items, order }`. */
  readonly global_classes?: { readonly [name: string]: Json }
  /** The variables that the elements and these classes name: `{ data }`. */
  readonly global_variables?: { readonly [name: string]: Json }
}

/** Templates that are not on the site. Rejections are logged and answered with 502. */
export interface Templates {
  /** The order in which editors show them. */
  list(): MaybePromise<readonly CatalogueTemplate[]>
  /** Undefined for an id that the catalogue does not have. */
  get(id: string): MaybePromise<TemplateFile | undefined>
}

/** The catalogue of a site. */
export const templatesOf = ({ services }: Pick<AppContext, 'services'>): Templates | undefined =>
  services['templates'] as Templates | undefined
