/** Serves the files that pages load: style sheets of documents and of the theme, and scripts. */

import { sha256Of } from '../../core/runtime/crypto.ts'
import type { ThemePart } from '../../features/theme/model.ts'
import type { Sheet } from '../../render/builder/css/sheets.ts'
import type { SheetStore } from '../documents/sheets.ts'
import type { PagesOptions } from '../options.ts'
import { respondVersioned } from '../response.ts'
import { type BlockSheets, createBlockSheets } from '../theme/blocks/sheet.ts'
import { formsScript } from '../theme/scripts/forms.ts'
import { listsScript } from '../theme/scripts/lists.ts'
import { pageScript } from '../theme/scripts/page.ts'
import { popupsScript } from '../theme/scripts/popups.ts'
import { proofScript } from '../theme/scripts/proof.ts'
import { themeSheets } from '../theme/style.ts'
import { addressOf, type Visit } from '../visit.ts'

const versionOf = (text: string): string => sha256Of(text).slice(0, 16)

interface OwnFile {
  readonly text: string
  readonly version: string
}

/** The files of the theme, whose digests are computed once. */
export interface OwnFiles {
  /** The sheets of the theme by file name; `theme` is that of the host where it has one. */
  readonly styles: ReadonlyMap<string, OwnFile>
  /** By their names; empty where the host wants none. */
  readonly scripts: ReadonlyMap<string, OwnFile>
  /** Undefined where the host has replaced the sheet of the theme. */
  readonly blocks: BlockSheets | undefined
}

const fileOf = (text: string): OwnFile => ({ text, version: versionOf(text) })

export function createOwnFiles(
  { styleSheet, theme, script: hasScript }: PagesOptions,
  publicName: (name: string) => string,
  swapMarkup: (content: string) => string,
): OwnFiles {
  // With a names preset the documents contain other class names.
  const all = { page: pageScript, forms: formsScript, proof: proofScript, popups: popupsScript, lists: listsScript }
  const scripts = Object.entries(hasScript ? all : {})
  const sheets = styleSheet === undefined ? themeSheets : styleSheet === false ? {} : { theme: styleSheet }
  return {
    styles: new Map(Object.entries(sheets).map(([name, text]) => [name, fileOf(text)])),
    scripts: new Map(scripts.map(([name, text]) => [name, fileOf(text.replace(/\bbuilder-[a-z][\w-]*/g, publicName))])),
    blocks: styleSheet === undefined ? createBlockSheets(swapMarkup, theme) : undefined,
  }
}

export const sheetAddress = ({ key, version }: Sheet, visit: Visit): string =>
  addressOf(visit, `${visit.options.assets}/sheets/${key}.${version}.css`)

/** The sheet of the host has no parts: it is left out with the style of the theme alone. */
export function styleAddress({ styles }: OwnFiles, hidden: ReadonlySet<ThemePart>, visit: Visit): readonly string[] {
  const [hasBase, hasStyle] = [!hidden.has('base style'), !hidden.has('style')]
  const name = hasStyle
    ? hasBase || !styles.has('theme-parts')
      ? 'theme'
      : 'theme-parts'
    : hasBase
      ? 'theme-base'
      : ''
  const style = styles.get(name)
  return style ? [addressOf(visit, `${visit.options.assets}/${name}.${style.version}.css`)] : []
}

/** Returns the address of the rules for the blocks in this markup. */
export function blocksAddress({ blocks }: OwnFiles, markup: readonly string[], visit: Visit): readonly string[] {
  const name = blocks?.nameFor(markup)
  return name === undefined || !blocks
    ? []
    : [addressOf(visit, `${visit.options.assets}/blocks/${name}.${blocks.version}.css`)]
}

/** Returns the address of a script; none where the host wants no scripts. */
export function scriptAddress(name: string, { scripts }: OwnFiles, visit: Visit): readonly string[] {
  const script = scripts.get(name)
  return script ? [addressOf(visit, `${visit.options.assets}/${name}.${script.version}.js`)] : []
}

const cssType = 'text/css; charset=UTF-8'
const scriptType = 'text/javascript; charset=UTF-8'

interface AssetSources {
  readonly own: OwnFiles
  readonly store: SheetStore
  /** Draws the page that requests a sheet, so that its sheets are in memory. */
  readonly drawAgain: () => Promise<void>
}

/** Returns undefined when the file does not exist. `name` is the path below the folder of assets. */
export async function assetAt(
  name: string,
  { own, store, drawAgain }: AssetSources,
  visit: Visit,
): Promise<Response | undefined> {
  const [, file = '', version = '', extension = ''] = /^([\w/-]+)\.([0-9a-f]{16})\.(css|js)$/.exec(name) ?? []
  const style = extension === 'css' ? own.styles.get(file) : undefined
  if (style) return respondVersioned(visit, style.text, cssType, version === style.version)
  const script = extension === 'js' ? own.scripts.get(file) : undefined
  if (script) return respondVersioned(visit, script.text, scriptType, version === script.version)
  const blocks = extension === 'css' ? /^blocks\/([\w-]+)$/.exec(file)?.[1] : undefined
  if (blocks !== undefined) {
    const text = own.blocks?.textOf(blocks)
    return text === undefined ? undefined : respondVersioned(visit, text, cssType, version === own.blocks?.version)
  }
  const key = /^sheets\/([\w-]+)$/.exec(file)?.[1]
  if (key === undefined || extension !== 'css') return undefined
  if (!store.find(key, version)) await drawAgain()
  // A page in a cache may name an older version: it gets the current sheet.
  const sheet = store.find(key, version) ?? store.find(key)
  return sheet && respondVersioned(visit, sheet.css, cssType, sheet.version === version)
}
