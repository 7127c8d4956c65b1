/**
 * Writes the tables of docs/rendering.md: what pages show of widgets, templates and settings. Each row is found out by drawing; a
 * test compares the document with the tables of now, and lets no row be kept in silence.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../tables.ts'
import { builderSettings, documentSettings, kitSettings, themeSettings } from './settings.ts'
import { type EffectRow, openProofSite, type ProofSite } from './site.ts'
import { templateEffects } from './templates.ts'
import { widgetTable } from './widgets.ts'

const ofSettings: { readonly [name: string]: (site: ProofSite) => Promise<readonly EffectRow[]> } = {
  'document settings': documentSettings,
  'kit settings': kitSettings,
  'theme settings': themeSettings,
  'builder settings': builderSettings,
}

/** Makes the rows of each table, by the mark of its place in the document. */
export async function effectTables(): Promise<ReadonlyMap<string, readonly EffectRow[]>> {
  const rows = new Map<string, readonly EffectRow[]>([['template types', await templateEffects()]])
  for (const [name, find] of Object.entries(ofSettings)) {
    const site = await openProofSite()
    rows.set(name, await find(site))
    await site.close()
  }
  return rows
}

/** Rows with the same effect and note share a line, as far as it can be read. */
function effectTable(head: string, rows: readonly EffectRow[]): string {
  const isOf = rows.some(({ of = '' }) => of !== '')
  const lines = Map.groupBy(rows, ({ of, effect, note }) => [of, effect, note].join('|'))
  const body = [...lines.values()].flatMap((found) => {
    const { of = '', effect = '', note = '' } = found[0] ?? {}
    return inLines(found.map(({ name }) => name)).map((names) => [names, ...(isOf ? [of] : []), effect, note])
  })
  return table([head, ...(isOf ? ['Of'] : []), 'Effect', 'Note'], body)
}

const longest = 90

function inLines(names: readonly string[]): string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last === undefined || last.length + name.length > longest) lines.push(name)
    else lines[lines.length - 1] = `${last}, ${name}`
  }
  return lines
}

const file = new URL('../rendering.md', import.meta.url)

/** Returns the document with these tables. */
export async function renderingDocument(effects: ReadonlyMap<string, readonly EffectRow[]>): Promise<string> {
  const tables = new Map([['widgets', await widgetTable()]])
  for (const [name, rows] of effects)
    tables.set(name, effectTable(name === 'template types' ? 'Type' : 'Setting', rows))
  return [...tables].reduce(
    (text, [name, made]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_, before: string, after: string) => `${before}\n${made}\n\n${after}`,
      ),
    readFileSync(file, 'utf8'),
  )
}

if (import.meta.main) writeFileSync(file, await renderingDocument(await effectTables()))
