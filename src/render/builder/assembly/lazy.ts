/** Loads the engine on its first use: most processes of a site start without rendering a document. */
import type { AppContext } from '../../../core/declare/app-context.ts'
import { createDrawnTest } from '../../blocks/drawn-names.ts'
import type { BuilderRender, EngineOptions } from './engine.ts'

/** Returns the engine of the site. */
export const builderRenderOf = ({ services }: Pick<AppContext, 'services'>): BuilderRender =>
  // The cast: createSiteApi registers the engine under this name.
  services['builder'] as BuilderRender

/** Loads the function that makes an engine. */
type LoadEngine = () => Promise<(options: EngineOptions) => BuilderRender>

/** A site draws with this engine where no feature brings the other. */
const contentEngine: LoadEngine = async () => (await import('./content-render.ts')).createContentRender

/** Features that have documents bring this one. */
export const builderEngine: LoadEngine = async () => (await import('./builder-render.ts')).createBuilderRender

/** Returns the engine that the features of a profile bring. */
export const engineOf = (services: AppContext['services']): LoadEngine =>
  // The cast: features bring such a function under this name.
  (services['engine'] as LoadEngine | undefined) ?? contentEngine

export function createLazyRender(options: EngineOptions, loadEngine: LoadEngine): BuilderRender {
  let loading: Promise<BuilderRender> | undefined
  const load = () => {
    loading ??= loadEngine().then((create) => create(options))
    return loading
  }
  return {
    document: async (where, id, context) => (await load()).document(where, id, context),
    part: async (where, id, part, context) => (await load()).part(where, id, part, context),
    isDrawn: createDrawnTest(options.host),
    contents: async (where, contents, context) => (await load()).contents(where, contents, context),
    styles: async (where, groups, context) => (await load()).styles(where, groups, context),
    unknownTypes: async (elements) => (await load()).unknownTypes(elements),
    undrawnSettings: async (type, settings) => (await load()).undrawnSettings(type, settings),
    overlays: async (where, shown, context, opened) => (await load()).overlays(where, shown, context, opened),
    at: async (where, location, shown, context) => (await load()).at(where, location, shown, context),
  }
}
