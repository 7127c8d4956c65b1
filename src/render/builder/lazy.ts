/** Loads the engine on its first use: most processes of a site start without drawing anything. */
import type { BuilderRender, EngineOptions } from './index.ts'

export function createLazyRender(options: EngineOptions): BuilderRender {
  let loading: Promise<BuilderRender> | undefined
  const load = () => {
    loading ??= import('./index.ts').then(({ createBuilderRender }) => createBuilderRender(options))
    return loading
  }
  return {
    document: async (where, id, context) => (await load()).document(where, id, context),
    at: async (where, location, place, context) => (await load()).at(where, location, place, context),
  }
}
