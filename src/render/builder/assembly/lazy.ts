/** Loads the engine on its first use: most processes of a site start without rendering a document. */
import type { AppContext } from '../../../core/declare/app-context.ts'
import { createDrawnTest } from '../../blocks/drawn-names.ts'
import type { BuilderRender, EngineOptions } from './builder-render.ts'

/** Returns the engine of the site. */
export const builderRenderOf = ({ services }: Pick<AppContext, 'services'>): BuilderRender =>
  // The cast: createSiteApi registers the engine under this name.
  services['builder'] as BuilderRender

export function createLazyRender(options: EngineOptions): BuilderRender {
  let loading: Promise<BuilderRender> | undefined
  const load = () => {
    loading ??= import('./builder-render.ts').then(({ createBuilderRender }) => createBuilderRender(options))
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
