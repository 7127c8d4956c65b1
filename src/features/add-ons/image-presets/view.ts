/** Presets have their stored form in responses, with the public names of settings and sections. */

import type { Json } from '../../../contract/storage.ts'
import { bool, int, list, num, str } from '../../../core/declare/args.ts'
import { either, exactly, fields, mapOf, sometimes } from '../../../core/declare/response-schema.ts'
import type { Names } from '../../../names/word-map.ts'
import { builtInSettings, type Preset, sections } from './model.ts'

const { lossy: _, ...switches } = builtInSettings

/** The same schema for each name of an object. The cast: `fromEntries` loses the names. */
const each = <N extends string, S>(named: { readonly [name in N]: unknown }, schema: S) =>
  Object.fromEntries(Object.keys(named).map((name) => [name, schema])) as { readonly [name in N]: S }

const settingsSchema = fields({
  ...each(switches, sometimes(bool())),
  lossy: sometimes(int({ minimum: 0, maximum: 1, description: 'How strongly pictures are compressed.' })),
})

const noId = exactly(false)
const texts = either(list(str()), exactly(false))
const plain = [str(), num(), bool()] as const

const configsSchema = fields({
  settings: settingsSchema,
  resize_sizes: sometimes(either(fields({ width: int(), height: int() }), bool())),
  image_sizes: sometimes(texts),
  lazy_load: sometimes(mapOf(either(...plain, list(str()), mapOf(either(...plain))))),
  networkwide: sometimes(either(...plain, list(str()))),
})

const summary = list(str(), { description: 'One text, with a line for each setting.' })

const presetSchema = fields(
  {
    id: either(int(), noId),
    name: str(),
    description: str(),
    default: sometimes(bool({ description: 'True for the preset that the service brings along.' })),
    hub_id: sometimes(either(int(), noId)),
    note_added_time: sometimes(str()),
    date: sometimes(str()),
    config: fields({
      configs: configsSchema,
      strings: fields(
        {
          compression_level: summary,
          lazy_load: summary,
          ...each(sections, summary),
          networkwide: sometimes(summary),
        },
        { description: 'What the settings say, in words.' },
      ),
    }),
  },
  { title: 'Image preset' },
)

export const presetsSchema = list(presetSchema)

type Members = { readonly [name: string]: Json }

export function presetsView(presets: readonly Preset[], names: Names): readonly Preset[] {
  if (names.isEmpty) return presets
  const renamed = (members: Json | undefined) =>
    Object.fromEntries(Object.entries(members as Members).map(([name, value]) => [names.toPublic(name), value]))
  return presets.map((preset) => {
    // The casts: `cleanPreset` and `builtIn` give every preset these members.
    const { configs, strings } = preset['config'] as { readonly configs: Members; readonly strings: Members }
    const settings = renamed(configs['settings'])
    return { ...preset, config: { configs: { ...configs, settings }, strings: renamed(strings) } }
  })
}
