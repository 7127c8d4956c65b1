/** Declares the engine that draws documents and texts, and makes the requests of its calls. */

import type { Collection, MaybePromise, Post, Storage } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import { Work } from '../../../core/runtime/work.ts'
import type { Icons } from '../../../site/icons.ts'
import type { Settings as SiteSettings } from '../../../site/settings.ts'
import type { Render } from '../../index.ts'
import type { RawSettings } from '../document/values.ts'
import type { PublicName } from '../html/serialize.ts'
import type { RenderOptions } from '../pass/host.ts'
import type { Tables } from '../pass/pass.ts'
import type {
  OverlayLocation,
  RenderContext,
  Rendered,
  RenderedOverlay,
  RenderLocation,
  TemplateContext,
} from '../pass/render-context.ts'
import type { RenderCache } from './cache.ts'
import type { RenderedContent, StoredContent } from './contents.ts'
import type { DrawnPart, RenderedPart, RenderRequest } from './render.ts'
import type { StyleGroup } from './style-text.ts'

/** The services and rules that the engine takes from the rooms above. */
export interface EngineOptions {
  readonly host: RenderOptions
  /** Renders texts that no builder document contains. */
  readonly text: Render
  /** Whether visitors see the published records of the type, or the terms of the taxonomy, on pages. */
  readonly isPublicType: (type: string) => boolean
  readonly isPublicTaxonomy: (taxonomy: string) => boolean
  readonly takesComments: () => boolean
  /** Returns the address of a file below the uploads folder. */
  readonly fileAddress: (path: string, site: SiteSettings) => string
  /** Reads the bytes of such a file. */
  readonly readFile: (path: string) => MaybePromise<Uint8Array | undefined>
  /** Draws icons of fonts that no service of the host draws. */
  readonly icons: Icons
  readonly mayRead: (reader: Actor, post: Post) => boolean
  /** The collections whose changes have tags. */
  readonly taggedCollections: ReadonlyMap<string, Collection>
  /** The units of work of one request. */
  readonly requestWork: number
  /** Selects the template for a location of a page. */
  readonly templateAt: (
    location: RenderLocation,
    shown: TemplateContext,
    where: { readonly storage: Storage; readonly site: SiteSettings },
  ) => MaybePromise<number | undefined>
  /** Selects the popups and floating buttons of a page, with the popups of `opened`. */
  readonly overlaysAt: (
    shown: TemplateContext,
    where: { readonly storage: Storage; readonly site: SiteSettings },
    opened: readonly number[],
  ) => MaybePromise<readonly { readonly id: number; readonly location: OverlayLocation }[]>
  /** Translates the names that the engine writes, on a site with a names preset. */
  readonly publicName?: PublicName
  readonly publicMarkup?: (html: string) => string
}

/** The storage, the settings and the clock of one call. */
export interface RenderSite {
  readonly storage: Storage
  readonly site: SiteSettings
  /** Milliseconds since 1970. */
  readonly now: number
  /** The caller has checked that the reader may read the document: its status and password are not checked again. */
  readonly isPermitted?: boolean
  /** The budget of the request. Default: the render has one of its own. */
  readonly work?: Work
  /** The most characters of HTML. Default: the limit of a page. */
  readonly mostHtml?: number
  /** True: `storage` contains changes that are not saved, so the cache neither stores the result nor returns an earlier one. */
  readonly noStore?: boolean
  /** Whether blocks of texts get the classes of their layouts, which the sheets of the pages style. Default: false. */
  readonly hasLayout?: boolean
  /** False: the caller shows the HTML without its sheets. Default: true. */
  readonly hasSheets?: boolean
}

export interface BuilderRender {
  document(where: RenderSite, id: number, context?: RenderContext): Promise<Rendered | undefined>
  /** Renders the content of one element, without its wrapper. */
  part(where: RenderSite, id: number, part: DrawnPart, context?: RenderContext): Promise<RenderedPart | undefined>
  at(
    where: RenderSite,
    location: RenderLocation,
    shown: TemplateContext,
    context?: RenderContext,
  ): Promise<Rendered | undefined>
  /** Draws the popups and floating buttons of a page by their ids, with the popups of `opened`. */
  overlays(
    where: RenderSite,
    shown: TemplateContext,
    context?: RenderContext,
    opened?: readonly number[],
  ): Promise<readonly RenderedOverlay[]>
  /** Whether a stored text has blocks or shortcodes that show other rows: `contents` renders it. */
  isDrawn(content: string): boolean
  /** Renders such texts. Undefined: a text takes more work than is left. */
  contents(
    where: RenderSite,
    contents: readonly StoredContent[],
    context?: RenderContext,
  ): Promise<(RenderedContent | undefined)[]>
  /** Writes the rules of styles that editors link besides those of a page. */
  styles(where: RenderSite, groups: readonly StyleGroup[], context?: RenderContext): Promise<string>
  /** Returns the types of these elements that no table contains. */
  unknownTypes(elements: readonly unknown[]): Promise<UnknownTypes>
  /** Returns the settings of a document of this type, or of the kit, that no page shows. */
  undrawnSettings(type: string, settings: RawSettings): Promise<readonly string[]>
}

/** Lists each unknown type of a document once, in the order of its first element. */
export interface UnknownTypes {
  readonly widgets: readonly string[]
  readonly elements: readonly string[]
  /** The known widgets that the site never draws, each with the reason. */
  readonly undrawn: readonly { readonly type: string; readonly reason: string }[]
}

/** Makes the request of each call. Without a cache each call draws anew. */
export function createRequests(engine: EngineOptions, tables: Tables, cache?: RenderCache) {
  return (
    { storage, site, now, work, mostHtml, isPermitted = false, noStore = false, ...shown }: RenderSite,
    context: RenderContext,
  ): RenderRequest => ({
    source: {
      storage,
      site,
      services: engine.host.services ?? {},
      fileAddress: (path) => engine.fileAddress(path, site),
      readFile: engine.readFile,
      isPublicType: engine.isPublicType,
      isPublicTaxonomy: engine.isPublicTaxonomy,
      takesComments: engine.takesComments,
      icons: engine.icons,
    },
    tables,
    cache: noStore ? undefined : cache,
    work: work ?? new Work(engine.requestWork),
    mostHtml,
    context,
    isPermitted,
    now: context.now ?? now,
    taggedCollections: engine.taggedCollections,
    mayRead: (post, pass) => engine.mayRead(pass.reader(), post),
    ...{
      hasLayout: shown.hasLayout,
      hasSheets: shown.hasSheets,
      ...(engine.publicName ? { publicName: engine.publicName } : {}),
    },
    ...(engine.publicMarkup ? { publicMarkup: engine.publicMarkup } : {}),
  })
}
