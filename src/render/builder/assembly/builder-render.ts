/** Draws builder documents, and stored texts with the documents that they show. Reads records from the storage and writes nothing. */

import { isApiError } from '../../../core/declare/errors.ts'
import { type Element, readElement } from '../document/element.ts'
import { limits } from '../document/limits.ts'
import type { Tables } from '../pass/pass.ts'
import type { OverlayLocation, RenderedOverlay } from '../pass/render-context.ts'
import { RenderCache } from './cache.ts'
import { renderContents } from './contents.ts'
import { undrawnSettings } from './drawn-settings.ts'
import { type BuilderRender, createRequests, type EngineOptions, type UnknownTypes } from './engine.ts'
import { type RenderRequest, renderDocument } from './render.ts'
import { writeStyles } from './style-text.ts'
import { createBuiltInTest, createTables } from './tables.ts'

export { undrawnSettings }

export function createBuilderRender(engine: EngineOptions): BuilderRender {
  const tables = createTables(engine.host, engine.text, engine.publicName)
  const requestOf = createRequests(engine, tables, engine.host.cache === false ? undefined : new RenderCache())
  return {
    document: (where, id, context = {}) => renderDocument(requestOf(where, context), { id }),
    isDrawn: tables.isDrawn,
    contents: (where, contents, context = {}) => renderContents(requestOf(where, context), contents),
    styles: (where, groups, context = {}) => writeStyles(requestOf(where, context), groups),
    unknownTypes: async (elements) => unknownTypes(elements, tables),
    undrawnSettings: async (type, settings) => undrawnSettings(type, settings),
    part: (where, id, part, context = {}) => renderDocument(requestOf(where, context), { id, part }),
    async at(where, location, shown, context = {}) {
      const id = await engine.templateAt(location, shown, where)
      if (id === undefined) return undefined
      const dependencies = [`conditions:${location}`]
      return renderDocument(requestOf(where, { templateContext: shown, ...context }), { id, location, dependencies })
    },
    async overlays(where, shown, context = {}, opened = []) {
      const found = await engine.overlaysAt(shown, where, opened)
      const request = requestOf(where, { templateContext: shown, ...context })
      const drawn = await Promise.all(found.map((overlay) => drawOverlay(request, overlay)))
      return drawn.filter((overlay) => overlay !== undefined)
    },
  }
}

/** Returns undefined for an overlay that takes more work than is left: the page is shown without it. */
async function drawOverlay(
  request: RenderRequest,
  { id, location }: { readonly id: number; readonly location: OverlayLocation },
): Promise<RenderedOverlay | undefined> {
  try {
    const dependencies = [`conditions:${location}`]
    const rendered = await renderDocument(request, { id, location, dependencies })
    return rendered && { id, location, ...rendered }
  } catch (error) {
    if (isApiError(error)) return undefined
    throw error
  }
}

/** The same for a site whose host has added nothing. */
export const unknownBuiltIns = (elements: readonly unknown[]): UnknownTypes =>
  unknownTypes(elements, { isKnown: createBuiltInTest(), undrawn: () => undefined })

function unknownTypes(elements: readonly unknown[], tables: Pick<Tables, 'isKnown' | 'undrawn'>): UnknownTypes {
  const widgets = new Set<string>()
  const others = new Set<string>()
  const undrawn = new Map<string, string>()
  const stack = elements.toReversed()
  for (let left = limits.elements; stack.length > 0 && left > 0; left--) {
    const element = readElement(stack.pop())
    if (!element) continue
    if (!tables.isKnown(element)) (element.type === 'widget' ? widgets : others).add(nameOf(element))
    const reason = tables.undrawn(element)
    if (reason !== undefined) undrawn.set(nameOf(element), reason)
    for (const child of element.children.toReversed()) stack.push(child)
  }
  return {
    ...{ widgets: [...widgets], elements: [...others] },
    undrawn: [...undrawn].map(([type, reason]) => ({ type, reason })),
  }
}

const nameOf = ({ type, widgetType }: Element): string => (type === 'widget' ? widgetType : type).slice(0, 64)
