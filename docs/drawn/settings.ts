/** Finds out what settings of documents, the kit, themes and the builder change, by drawing pages with and without each. */

import { usedSettings } from '../../src/features/builder/settings/uses.ts'
import { drawnSettings, type SettingsOwner } from '../../src/render/builder/assembly/drawn-settings.ts'
import { familyOf, sampleOf } from './samples.ts'
import { type EffectRow, type ProofSite, warningsOf } from './site.ts'

type Settings = { readonly [name: string]: unknown }

interface Family {
  readonly name: string
  readonly settings: Settings
}

/** The settings that the tables of an owner read, those of one group together, each with a value that has an effect. */
function familiesOf(owner: SettingsOwner): readonly Family[] {
  const { tables, others } = drawnSettings[owner]
  const controls = tables.flatMap((table) => table.controls)
  const required = Object.assign({}, ...controls.map(({ when = {} }) => when)) as Settings
  const names = [...new Set([...others, ...controls.flatMap(({ settings }) => settings), ...Object.keys(required)])]
  const groups = Map.groupBy(names, (name) => familyOf(name, names).replace(/^h[1-6]_/, 'h1_'))
  return [...groups].map(([family, members]) => ({
    name: labelOf(family, members),
    settings: Object.fromEntries(members.map((name) => [name, sampleOf(name)])),
  }))
}

function labelOf(family: string, members: readonly string[]): string {
  const hasMore = members.some((name) => name !== family && !/^h[2-6]_/.test(name))
  const name = hasMore ? `${family}_…` : family
  return members.some((member) => member.startsWith('h6_'))
    ? `\`${name}\` to \`${name.replace('h1', 'h6')}\``
    : `\`${name}\``
}

interface Proof {
  /** Stores these settings alone, and returns the codes of the warnings. */
  readonly store: (settings: Settings) => Promise<readonly string[]>
  readonly shown: () => Promise<string>
}

/** Draws with and without each family. `isEditorOnly` says that no page is meant to change with these settings. */
async function effectsOf(
  families: readonly Family[],
  { store, shown }: Proof,
  { isEditorOnly = false, note = '', of = '' } = {},
): Promise<EffectRow[]> {
  await store({})
  const before = await shown()
  if ((await shown()) !== before) throw new Error('the page differs by itself, so it proves nothing')
  const rows: EffectRow[] = []
  for (const { name, settings } of families) {
    const warnings = await store(settings)
    const isDrawn = (await shown()) !== before
    const isNamed = warnings.includes('undrawn_setting')
    const effect = isDrawn && !isNamed ? 'drawn' : isNamed ? 'warning' : isEditorOnly ? 'editor only' : 'silently kept'
    rows.push({ name, of, effect, note })
  }
  await store({})
  return rows
}

const each = (names: string): readonly Family[] =>
  names.split(' ').map((name) => ({ name: `\`${name}\``, settings: { [name]: sampleOf(name) } }))

const another = { name: 'any other name', settings: { no_such_setting: 'yes' } }

// ---------------------------------------------------------------- documents

const proofOf = (site: ProofSite, id: number, path: string): Proof => ({
  store: async (settings) => warningsOf(await site.send('POST', `/site-api/v1/documents/${id}`, { settings })),
  shown: () => site.shown(path),
})

async function conditioned(site: ProofSite, type: string): Promise<number> {
  const id = await site.create({ kind: 'template', type })
  await site.send('PUT', `/builder/v1/site-editor/templates-conditions/${id}`, { conditions: [['include', 'general']] })
  return id
}

/** Settings of documents, each proven with another document. */
export async function documentSettings(site: ProofSite): Promise<readonly EffectRow[]> {
  const page = await site.create({ kind: 'page', type: 'wp-page', title: 'A built page' })
  const proof = proofOf(site, page, await site.addressOf(page))
  const ofAll = { of: 'documents' }
  const known = await effectsOf(familiesOf('document'), proof, ofAll)
  const named = new Set(known.map(({ name }) => name))
  const only = (owner: SettingsOwner) => familiesOf(owner).filter(({ name }) => !named.has(name))
  const parts = proofOf(site, await conditioned(site, 'header'), '/tide/')
  const popups = proofOf(site, await conditioned(site, 'popup'), '/tide/')
  const buttons = proofOf(site, await conditioned(site, 'floating-buttons'), '/tide/')
  const ofPopups = { of: 'popups' }
  const ofButtons = { of: 'floating buttons' }
  return [
    ...known,
    ...(await effectsOf(each('preview_type preview_id preview_search_term'), proof, {
      ...{ ...ofAll, isEditorOnly: true, note: 'what the editor shows in a template' },
    })),
    ...(await effectsOf(each('post_title post_status post_excerpt post_featured_image'), proof, {
      ...{ ...ofAll, note: 'the record of the post has it' },
    })),
    ...(await effectsOf([...each('background_video_link scroll_snap'), another], proof, ofAll)),
    ...(await effectsOf(only('part'), parts, { of: 'templates of the theme' })),
    ...(await effectsOf(familiesOf('popup'), popups, ofPopups)),
    ...(await effectsOf(each('sessions url sources logged_in browsers schedule'), popups, {
      ...{ ...ofPopups, note: 'a page can not know it' },
    })),
    ...(await effectsOf([...each('entrance_animation exit_animation'), another], popups, ofPopups)),
    ...(await effectsOf(familiesOf('floating-buttons'), buttons, ofButtons)),
    ...(await effectsOf([another], buttons, ofButtons)),
  ]
}

// ---------------------------------------------------------------- the kit

const unkeptKit =
  'lightbox_color site_logo stretched_section_container body_mobile_browser_background default_page_template'

export async function kitSettings(site: ProofSite): Promise<readonly EffectRow[]> {
  const kit = await site.create({ kind: 'template', type: 'kit' })
  const proof: Proof = {
    store: async (settings) => {
      const saved = warningsOf(await site.send('POST', `/site-api/v1/documents/${kit}`, { settings }))
      if (Object.keys(settings).length > 0 && !saved.includes('kit_not_used')) throw new Error('a kit acts unsaid')
      const undrawn = await site.useKit(kit)
      if (undrawn.length > 0 !== saved.includes('undrawn_setting')) throw new Error('the route and the kit disagree')
      return saved
    },
    shown: () => site.shown('/'),
  }
  // The page shows a document, so that it has the sheet of the kit.
  await conditioned(site, 'footer')
  return [
    ...(await effectsOf(familiesOf('kit'), proof)),
    ...(await effectsOf(each('activeItemIndex'), proof, { isEditorOnly: true, note: 'the open panel' })),
    ...(await effectsOf([...each(unkeptKit), another], proof)),
  ]
}

// ---------------------------------------------------------------- themes and the builder

/** Each part is switched the other way and back; a setting acts with each theme. */
export async function themeSettings(site: ProofSite): Promise<readonly EffectRow[]> {
  const rows: EffectRow[] = []
  for (const { theme, defaults } of site.themeParts) {
    const path = `/${theme}/v1/theme-settings`
    const off = Object.fromEntries(Object.keys(defaults).map((name) => [name, false]))
    const proof: Proof = {
      store: async (settings) => warningsOf(await site.send('POST', path, { settings: { ...off, ...settings } })),
      shown: () => site.shown('/tide/'),
    }
    const families = Object.keys(defaults).map((name) => ({ name: `\`${name}\``, settings: { [name]: true } }))
    rows.push(...(await effectsOf([...families, another], proof, { of: `\`${theme}\`` })))
  }
  return rows
}

/** A value for each setting of the builder that has an effect; the last ones are for a member of a family. */
const builderSamples: { readonly [key: string]: readonly [key: string, value: unknown, back: unknown] } = {
  builder_css_print_method: ['builder_css_print_method', 'internal', 'external'],
  builder_disable_color_schemes: ['builder_disable_color_schemes', 'yes', ''],
  builder_disable_typography_schemes: ['builder_disable_typography_schemes', 'yes', ''],
  'builder_theme_settings*': ['builder_theme_settings_skip_link', 'true', 'false'],
  'builder_theme_biz_settings*': ['builder_theme_biz_settings', { skip_link: true }, { skip_link: false }],
}

export async function builderSettings(site: ProofSite): Promise<readonly EffectRow[]> {
  const write = async (key: string, value: unknown) =>
    warningsOf(await site.send('POST', `/builder/v1/settings/${key}`, { value }))
  await conditioned(site, 'footer')
  const rows: EffectRow[] = []
  for (const { key, use, what } of [...usedSettings, { key: 'builder_any_other', use: 'none', what: '' }]) {
    const [name, value, back] = builderSamples[key] ?? [key.replace('*', 'sample'), 'sample', '']
    await write(name, back)
    const before = await site.shown('/tide/')
    const warnings = await write(name, value)
    const isDrawn = (await site.shown('/tide/')) !== before
    const effect = warnings.includes('unused_setting')
      ? 'warning'
      : isDrawn
        ? 'drawn'
        : use === 'routes'
          ? 'editor only'
          : 'silently kept'
    rows.push({ name: use === 'none' ? 'any other key' : `\`${key.replace('*', '…')}\``, effect, note: what })
    await write(name, back)
  }
  return rows
}
