/** Tells which settings of documents and of the kit have an effect on pages. What has none is named to whoever saves it. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { ControlTable } from '../controls/write.ts'
import { breakpointKeys } from '../css/breakpoints.ts'
import { popupRuleSettings } from '../document/popup-rules.ts'
import { isEmpty, isObject, type RawSettings } from '../document/values.ts'
import { isPart, pageTable } from '../elements/document.ts'
import { popupTable } from '../elements/popup.ts'
import { kitTable } from './kit-sheet.ts'

/** Tells apart documents that have different settings: `part` is a template of the theme, `document` all others. */
export type SettingsOwner = 'document' | 'part' | 'popup' | 'floating-buttons' | 'kit'

export const ownerOf = (type: string): SettingsOwner =>
  type === 'popup' || type === 'floating-buttons' || type === 'kit' ? type : isPart(type) ? 'part' : 'document'

interface DrawnSettings {
  readonly tables: readonly ControlTable[]
  /** Settings that no table of controls reads. */
  readonly others: readonly string[]
}

const document: DrawnSettings = { tables: [pageTable], others: ['custom_css', 'template'] }

export const drawnSettings: { readonly [owner in SettingsOwner]: DrawnSettings } = lookupTable({
  document,
  part: { ...document, others: [...document.others, 'content_wrapper_html_tag'] },
  popup: {
    tables: [popupTable],
    others: ['custom_css', 'accessible_name', 'close_button', ...popupRuleSettings],
  },
  'floating-buttons': { tables: [], others: ['custom_css'] },
  kit: {
    tables: [kitTable],
    others: [
      ...['system_colors', 'custom_colors', 'system_typography', 'custom_typography', 'custom_css'],
      ...['active_breakpoints', 'default_generic_fonts', ...breakpointKeys.map((key) => `viewport_${key}`)],
    ],
  },
})

/** Settings that only editors read: what a preview shows, and which panel was open. */
const editorSettings = /^(?:preview_\w+|activeItemIndex|active_tab)$/

/** Groups that hold references to the kit and dynamic values by the names of settings. */
const GROUPS: ReadonlySet<string> = new Set(['__globals__', '__dynamic__'])
/** Popups store their rules in these groups too. */
const RULE_GROUPS: ReadonlySet<string> = new Set(['triggers', 'timing'])

/** Returns the names of the settings with a value that no page shows, and no editor reads. */
export function undrawnSettings(type: string, settings: RawSettings): string[] {
  const owner = ownerOf(type)
  const isDrawn = testOf(owner)
  const isGroup = (name: string) => GROUPS.has(name) || (owner === 'popup' && RULE_GROUPS.has(name))
  const names = Object.entries(settings).flatMap(([name, value]) => {
    if (isEmpty(value)) return []
    return isGroup(name) && isObject(value) ? Object.keys(value) : [name]
  })
  return [...new Set(names)].filter((name) => !isDrawn(name) && !editorSettings.test(name))
}

const RESPONSIVE = new RegExp(`_(?:${breakpointKeys.join('|')})$`)

function testOf(owner: SettingsOwner): (name: string) => boolean {
  const { tables, others } = drawnSettings[owner]
  const controls = tables.flatMap((table) => table.controls)
  const known = new Set([
    ...others,
    ...controls.flatMap(({ settings, when = {} }) => [...settings, ...Object.keys(when)]),
  ])
  const responsive = new Set(controls.flatMap(({ settings, isResponsive }) => (isResponsive ? settings : [])))
  return (name) => known.has(name) || responsive.has(name.replace(RESPONSIVE, ''))
}
