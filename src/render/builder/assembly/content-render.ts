/** Draws stored texts on a site without the builder: no document is drawn, and no element is known or unknown. */
import { createContentTables } from './content-tables.ts'
import { renderContents } from './contents.ts'
import { type BuilderRender, createRequests, type EngineOptions } from './engine.ts'

export { cleanSvg } from '../svg/clean.ts'

export function createContentRender(engine: EngineOptions): BuilderRender {
  const tables = createContentTables(engine.host, engine.text)
  const requestOf = createRequests(engine, tables)
  return {
    isDrawn: tables.isDrawn,
    contents: (where, contents, context = {}) => renderContents(requestOf(where, context), contents),
    document: async () => undefined,
    part: async () => undefined,
    at: async () => undefined,
    overlays: async () => [],
    styles: async () => '',
    unknownTypes: async () => ({ widgets: [], elements: [], undrawn: [] }),
    undrawnSettings: async () => [],
  }
}
