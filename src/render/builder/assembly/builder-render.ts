/** The engine for builder documents: `api.render`. Reads records from storage; writes nothing. */

import type { MaybePromise, Post, Storage } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Settings as SiteSettings } from '../../../site/settings.ts'
import type { Render } from '../../index.ts'
import { type Element, readElement } from '../document/element.ts'
import { limits } from '../document/limits.ts'
import type { PublicName } from '../html/serialize.ts'
import type { RenderOptions } from '../pass/host.ts'
import type { RenderContext, Rendered, RenderLocation, TemplateContext } from '../pass/render-context.ts'
import { RenderCache } from './cache.ts'
import { type DrawnPart, type RenderedPart, type RenderRequest, renderDocument } from './render.ts'
import { createTables } from './tables.ts'

/** What the rooms above give to the engine. */
export interface EngineOptions {
  readonly host: RenderOptions
  /** The rules of plain texts. */
  readonly text: Render
  /** The address of a file below the uploads folder. */
  readonly fileAddress: (path: string, site: SiteSettings) => string
  /** The bytes of such a file. */
  readonly readFile: (path: string) => MaybePromise<Uint8Array | undefined>
  readonly mayRead: (reader: Actor, post: Post) => boolean
  /** The template that wins a place. */
  readonly templateAt: (
    location: RenderLocation,
    shown: TemplateContext,
    where: { readonly storage: Storage; readonly site: SiteSettings },
  ) => MaybePromise<number | undefined>
  /** With a names preset: the public form of the names that the engine writes. */
  readonly publicName?: PublicName
}

/** Where one call reads. */
interface RenderSite {
  readonly storage: Storage
  readonly site: SiteSettings
  /** Milliseconds since 1970. */
  readonly now: number
  /** The caller has checked that the reader may read the document, whatever its status and password. */
  readonly isPermitted?: boolean
  /** True: `storage` shows what is not saved yet; the result is neither kept nor taken from what was kept. */
  readonly noStore?: boolean
}

export interface BuilderRender {
  document(where: RenderSite, id: number, context?: RenderContext): Promise<Rendered | undefined>
  /** What is inside one element of a document. */
  part(where: RenderSite, id: number, part: DrawnPart, context?: RenderContext): Promise<RenderedPart | undefined>
  at(
    where: RenderSite,
    location: RenderLocation,
    shown: TemplateContext,
    context?: RenderContext,
  ): Promise<Rendered | undefined>
  /** The types among these elements that no table has. */
  unknownTypes(elements: readonly unknown[]): Promise<UnknownTypes>
}

export function createBuilderRender(engine: EngineOptions): BuilderRender {
  const tables = createTables(engine.host, engine.text)
  const cache = engine.host.cache === false ? undefined : new RenderCache()
  const requestOf = (
    { storage, site, now, isPermitted = false, noStore = false }: RenderSite,
    context: RenderContext,
  ): RenderRequest => ({
    source: {
      storage,
      site,
      services: engine.host.services ?? {},
      fileAddress: (path) => engine.fileAddress(path, site),
      readFile: engine.readFile,
    },
    tables,
    cache: noStore ? undefined : cache,
    context,
    isPermitted,
    now: context.now ?? now,
    mayRead: (post, pass) => engine.mayRead(pass.reader(), post),
    ...(engine.publicName ? { publicName: engine.publicName } : {}),
  })
  return {
    document: (where, id, context = {}) => renderDocument(requestOf(where, context), { id }),
    unknownTypes: async (elements) => unknownTypes(elements, tables.isKnown),
    part: (where, id, part, context = {}) => renderDocument(requestOf(where, context), { id, part }),
    async at(where, location, shown, context = {}) {
      const id = await engine.templateAt(location, shown, where)
      if (id === undefined) return undefined
      const dependencies = [`conditions:${location}`]
      return renderDocument(requestOf(where, { place: shown, ...context }), { id, location, dependencies })
    },
  }
}

/** The types that no table has, each once, in the order of the document. */
interface UnknownTypes {
  readonly widgets: readonly string[]
  readonly elements: readonly string[]
}

function unknownTypes(elements: readonly unknown[], isKnown: (element: Element) => boolean): UnknownTypes {
  const widgets = new Set<string>()
  const others = new Set<string>()
  const stack = elements.toReversed()
  for (let left = limits.elements; stack.length > 0 && left > 0; left--) {
    const element = readElement(stack.pop())
    if (!element) continue
    if (!isKnown(element)) (element.type === 'widget' ? widgets : others).add(nameOf(element))
    for (const child of element.children.toReversed()) stack.push(child)
  }
  return { widgets: [...widgets], elements: [...others] }
}

const nameOf = ({ type, widgetType }: Element): string => (type === 'widget' ? widgetType : type).slice(0, 64)
