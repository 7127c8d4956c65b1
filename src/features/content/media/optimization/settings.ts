/** The settings of the site's preset for pictures. */
import type { Storage } from '../../../../contract/storage.ts'
import { readPresets } from '../../../add-ons/image-presets/model.ts'

export interface OptimizationSettings {
  /** Whether uploads are optimized by themselves. */
  readonly isAutomatic: boolean
  readonly isLossy: boolean
  /** The largest extent of a picture; 0: any. Undefined: it is not resized. */
  readonly within?: { readonly width: number; readonly height: number }
  readonly formats: readonly ('webp' | 'avif')[]
  /** Whether the upload stays beside the smaller picture. */
  readonly keepsUpload: boolean
}

/** The option with the id of the preset in force. */
const presetOption = 'imgopt_preset'

type Members = { readonly [name: string]: unknown } | undefined

/** Reads the settings of the preset that the option names, else of the first preset. Undefined: the site has no preset. */
export async function optimizationSettings(storage: Storage): Promise<OptimizationSettings | undefined> {
  const chosen = (await storage.options.read([presetOption]))[presetOption]
  const presets = await readPresets(storage)
  const preset = presets.find(({ id }) => id === chosen) ?? presets[0]
  // The casts: `cleanPreset` and the built-in preset have these members.
  const configs = (preset?.['config'] as Members)?.['configs'] as Members
  const settings = configs?.['settings'] as Members
  if (!settings) return undefined
  const sizes = configs?.['resize_sizes'] as { readonly width?: number; readonly height?: number } | undefined
  const within = { width: sizes?.width || maxSide, height: sizes?.height || maxSide }
  return {
    isAutomatic: settings['auto'] === true,
    isLossy: settings['lossy'] === 1,
    ...(settings['resize'] === true && typeof sizes === 'object' ? { within } : {}),
    formats: [
      ...(settings['webp_mod'] === true ? (['webp'] as const) : []),
      ...(settings['avif_mod'] === true ? (['avif'] as const) : []),
    ],
    keepsUpload: settings['backup'] === true,
  }
}

/** No picture is larger. */
const maxSide = 65_535
