/** Tells imports and kits which types of widgets a site does not know, and which settings of a kit no page shows. */
import type { Json } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import { builderRenderOf } from '../render/builder/assembly/lazy.ts'

/** Returns the types among these that no table of the site has. */
export const unknownWidgetsOf = async (app: AppContext, types: readonly string[]): Promise<readonly string[]> =>
  (await builderRenderOf(app).unknownTypes(types.map(widgetOf))).widgets

/** The same for the command line, which does not know what a host adds. */
export async function unknownBuiltInWidgets(types: readonly string[]): Promise<readonly string[]> {
  // Loaded on use: few imports have documents.
  const { unknownBuiltIns } = await import('../render/builder/assembly/builder-render.ts')
  return unknownBuiltIns(types.map(widgetOf)).widgets
}

type KitSettings = { readonly [name: string]: Json }

export const undrawnSettingsOf = (app: AppContext, settings: KitSettings): Promise<readonly string[]> =>
  builderRenderOf(app).undrawnSettings('kit', settings)

/** The same for the command line. */
export async function undrawnKitSettings(settings: KitSettings): Promise<readonly string[]> {
  const { undrawnSettings } = await import('../render/builder/assembly/builder-render.ts')
  return undrawnSettings('kit', settings)
}

const widgetOf = (widgetType: string) => ({ id: '0', elType: 'widget', widgetType })
