/** `api.render`, and the engine behind it, which features ask for the texts of built posts too. */

import type { Collection, MaybePromise, Storage } from '../contract/storage.ts'
import type { AppContext, Services } from '../core/declare/app-context.ts'
import type { Limits } from '../core/declare/limits.ts'
import { mayReadPost } from '../features/content/posts/model.ts'
import { isViewableTaxonomy, viewableTypes } from '../features/shared/declared-types.ts'
import { overlaysAt, templateAt } from '../features/shared/templates/template-context.ts'
import { publicNames } from '../names/element-names.ts'
import { createMarkupNames } from '../names/markup.ts'
import type { NameMap } from '../names/word-map.ts'
import type { BuilderRender, EngineOptions } from '../render/builder/assembly/engine.ts'
import { builderRenderOf, createLazyRender, engineOf } from '../render/builder/assembly/lazy.ts'
import type { RenderOptions } from '../render/builder/pass/host.ts'
import type {
  OverlayLocation,
  RenderContext,
  Rendered,
  RenderedOverlay,
  RenderLocation,
  TemplateContext,
} from '../render/builder/pass/render-context.ts'
import { renderOf } from '../render/index.ts'
import { iconsOf } from '../services/icons/index.ts'
import { fileAddress, mediaOf } from '../services/media.ts'

/** Draws builder documents: a pure function of the stored records and the context. */
export interface SiteRender {
  /**
   * The published builder document of a post, page, template or component; undefined when there is none for this reader. Rejects
   * with `render_timeout`, `render_too_large` or, of a signal, `render_aborted`.
   *
   * ```ts
   * const page = await api.render.document(12)
   * page?.html
   * ```
   */
  document(id: number, context?: RenderContext): Promise<Rendered | undefined>
  /**
   * Draws the template that wins a location of a page; undefined when none does. Of `popup` and `floating-buttons`: every template
   * whose conditions include the page, with its id and its element around.
   *
   * ```ts
   * await api.render.at('header', { post: 12 })
   * const popups = await api.render.at('popup', { post: 12 })
   * ```
   */
  readonly at: RenderAt
}

/** Draws the templates at one location of a page. */
export interface RenderAt {
  (location: RenderLocation, shown: TemplateContext, context?: RenderContext): Promise<Rendered | undefined>
  (location: OverlayLocation, shown: TemplateContext, context?: RenderContext): Promise<readonly RenderedOverlay[]>
}

interface EngineParts {
  readonly limits: Pick<Limits, 'requestWork'>
  readonly services: Services
  readonly contributions: AppContext['contributions']
  readonly taggedCollections: ReadonlyMap<string, Collection>
  readonly host: RenderOptions | undefined
  readonly names: NameMap | undefined
  /** Whether the profile has comments. */
  readonly takesComments: () => boolean
}

/** The engine is loaded on its first use. */
export function createEngine({
  limits,
  services,
  contributions,
  taggedCollections,
  host = {},
  names,
  takesComments,
}: EngineParts): BuilderRender {
  const media = mediaOf({ services })
  const isPublicType = (type: string) =>
    Object.values(viewableTypes({ contributions })).some((names) => names.includes(type))
  const options: EngineOptions = {
    host,
    text: renderOf({ services }),
    fileAddress: (path, site) => fileAddress(media, site, path),
    readFile: (path) => media.read(path),
    icons: iconsOf({ services }) ?? (() => undefined),
    ...{ isPublicType, takesComments, taggedCollections },
    isPublicTaxonomy: (taxonomy) => isViewableTaxonomy(taxonomy, { contributions }),
    mayRead: mayReadPost,
    requestWork: limits.requestWork,
    templateAt,
    overlaysAt,
    ...(names === undefined || names.length === 0
      ? {}
      : { publicName: publicNames(names), publicMarkup: createMarkupNames(names) }),
  }
  return createLazyRender(options, engineOf(services))
}

interface RenderParts {
  readonly storage: Storage
  readonly app: AppContext
  readonly ready: () => MaybePromise<void>
}

export function createSiteRender({ storage, app, ready }: RenderParts): SiteRender {
  const engine = builderRenderOf(app)
  const where = async () => {
    await ready()
    const { storage: reading, settings: site } = await app.settings.choose(storage)
    return { storage: reading, site, now: app.clock() }
  }
  return {
    document: async (id, context) => engine.document(await where(), id, context),
    at: renderAt(engine, where),
  }
}

function renderAt(engine: BuilderRender, where: () => Promise<Parameters<BuilderRender['at']>[0]>): RenderAt {
  async function at(location: RenderLocation | OverlayLocation, shown: TemplateContext, context?: RenderContext) {
    if (location !== 'popup' && location !== 'floating-buttons')
      return engine.at(await where(), location, shown, context)
    const overlays = await engine.overlays(await where(), shown, context)
    return overlays.filter((overlay) => overlay.location === location)
  }
  // The cast: the location decides which of the two is answered.
  return at as RenderAt
}
