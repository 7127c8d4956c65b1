/**
 * Draws a popup around its document: a `dialog` that the script of the page opens. Without the script a link to it shows it as a
 * section at the end of the page.
 */
import { background } from '../controls/background.ts'
import { border, boxShadow, radius } from '../controls/border.ts'
import { choice, color, compound, sides, size } from '../controls/control.ts'
import { createControlTable, writeControls } from '../controls/write.ts'
import { type PopupRules, popupRules, unkeptRules } from '../document/popup-rules.ts'
import { Settings } from '../document/settings.ts'
import { idOf, isObject, ownValue, textOf } from '../document/values.ts'
import { type Child, h, written } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { createValues } from './control-values.ts'

const popupAddress = (id: number): string => `#popup-${id}`
/** Closes the popup around the link; the longer one keeps it closed for this reader. */
const closeAddress = '#popup-close'
const closeForEverAddress = '#popup-close-for-ever'

const CONTENT = '& .builder-popup__content'

export const popupTable = createControlTable([
  ...background('background', '&'),
  ...background('overlay_background', '&::backdrop'),
  ...border({ name: 'border', selector: '&' }),
  radius('border_radius', '&'),
  boxShadow('box_shadow', '&'),
  size('width', '&', 'width'),
  compound(['height_type', 'height'], (values) => {
    const type = values.rawDesktop('height_type')
    if (type === 'fit_to_screen') return [['&', [['height', '100vh']]]]
    const height = type === 'custom' ? values.size('height') : undefined
    return height === undefined ? undefined : [['&', [['height', height]]]]
  }),
  choice('horizontal_position', { left: '0', center: 'auto', right: 'auto' }, '&', 'margin-left'),
  choice('horizontal_position', { left: 'auto', center: 'auto', right: '0' }, '&', 'margin-right'),
  choice('vertical_position', { top: '0', center: 'auto', bottom: 'auto' }, '&', 'margin-top'),
  choice('vertical_position', { top: 'auto', center: 'auto', bottom: '0' }, '&', 'margin-bottom'),
  sides('margin', '&', 'margin'),
  sides('padding', CONTENT, 'padding'),
  color('close_button_color', '& .builder-popup__close', 'color'),
])

const rules =
  `.builder-popup{box-sizing:border-box;width:640px;max-width:100%;max-height:100%;margin:auto;padding:0;border:0;overflow:auto;background-color:#fff;color:#33373d;overscroll-behavior:contain}
.builder-popup::backdrop{background-color:rgba(0,0,0,.8)}.builder-popup:not([open]):target{display:block}
.builder-popup[data-beside][open]{position:fixed;inset:0;z-index:9999}
.builder-popup__close{position:absolute;inset-block-start:8px;inset-inline-end:8px;z-index:2;display:grid;place-items:center;width:40px;height:40px;
color:inherit;font:24px/1 sans-serif;text-decoration:none}.builder-popup:not([open]){position:relative}
.builder-popup__content{position:relative}.builder-popup[data-waits] .builder-popup__close{visibility:hidden}
:root:has(.builder-popup[data-holds][open]){overflow:hidden}`.replaceAll('\n', '')

export function drawPopup(
  document: DocumentRecord,
  content: Child,
  pass: Pass,
): { readonly child: Child; readonly rules: PopupRules } {
  const { pageSettings, post } = document
  const settings = new Settings(pageSettings, textOf)
  pass.sheets.of('document', 'popups').addText(rules)
  writeControls(popupTable, settings, {
    rules: pass.sheets.of('document', String(post.id)),
    selector: popupAddress(post.id),
    breakpoints: pass.breakpoints,
    valuesAt: createValues(settings, pass),
  })
  const own = popupRules(pageSettings)
  warnOfUnkept(document, pass)
  pass.behaviours.add('popup')
  const name = textOf(ownValue(pageSettings, 'accessible_name')) || post.title
  const child = h(
    'dialog',
    {
      id: written(popupAddress(post.id).slice(1)),
      class: ['builder-popup'],
      'aria-label': name === '' ? 'Popup' : name,
      'data-popup': written(JSON.stringify(own)),
      'data-beside': own.isBeside === true,
      'data-holds': own.holdsPage === true,
    },
    h('div', { class: ['builder-popup__content'] }, content),
    hasButton(settings) && h('a', { class: ['builder-popup__close'], href: closeAddress, 'aria-label': 'Close' }, '×'),
  )
  return { child, rules: own }
}

/** A popup that Escape does not close keeps its button. */
const hasButton = (settings: Settings): boolean =>
  settings.isOn('close_button', 'yes') || settings.isOn('prevent_close_on_esc_key')

function warnOfUnkept({ pageSettings, post }: DocumentRecord, pass: Pass): void {
  const unkept = unkeptRules(pageSettings)
  if (unkept.length === 0) return
  const message = `Popup ${post.id} opens without these of its rules, which a page can not keep: ${unkept.join(', ')}.`
  pass.warnings.add('not_drawn', undefined, message)
}

// ---------------------------------------------------------------- links

/** Matches the address of an action in both words: a site with a names preset stores another one. */
const ACTION = /href="#[a-z]+-action(?::|%3A)action(?:=|%3D)popup(?::|%3A)([a-z]+)([^"]*)"/gi

/** Leads the links whose address is an action with a popup to that popup. Texts contain them too, so the written HTML is changed. */
export function withPopupLinks(html: string): string {
  if (!html.includes('-action')) return html
  return html.replace(ACTION, (whole, action: string, rest: string) => {
    const settings = settingsOf(rest)
    const address = actionAddress(action, settings.id, settings.forEver)
    return address === undefined ? whole : `href="${address}"`
  })
}

/** Returns undefined for an action that names no popup. */
export function actionAddress(action: string, id: number | undefined, forEver = false): string | undefined {
  if (action === 'close') return forEver ? closeForEverAddress : closeAddress
  return id === undefined ? undefined : popupAddress(id)
}

interface ActionSettings {
  readonly id: number | undefined
  readonly forEver: boolean
}

/** The settings of an action are JSON in base64, after `&settings=`. */
function settingsOf(rest: string): ActionSettings {
  const text = /settings(?:=|%3D)([a-z0-9+/=%_-]+)/i.exec(rest)?.[1] ?? ''
  try {
    const value: unknown = JSON.parse(atob(decodeURIComponent(text)))
    const own = (name: string) => (isObject(value) ? ownValue(value, name) : undefined)
    return { id: idOf(own('id')), forEver: own('do_not_show_again') === 'yes' }
  } catch {
    return { id: undefined, forEver: false }
  }
}

const LINK = /href="#popup-([1-9]\d{0,14})"/g

/** Returns the popups that links of the written HTML open. */
export const linkedPopups = (html: string): number[] =>
  html.includes('"#popup-') ? [...new Set([...html.matchAll(LINK)].map(([, id]) => Number(id)))] : []
