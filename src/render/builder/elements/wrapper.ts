/** Writes the names, attributes and rules that the wrappers of all classic elements share. */
import { type ClassControl, classNames } from '../controls/classes.ts'
import { type ControlTable, writeControls } from '../controls/write.ts'
import type { Element } from '../document/element.ts'
import { Settings } from '../document/settings.ts'
import { isEmpty, nameOf, ownValue, type RawSettings, textOf } from '../document/values.ts'
import { type Attributes, type ClassList, type Written, written } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { componentType } from '../records/keys.ts'
import { createValues } from './control-values.ts'
import { customCss } from './custom-css.ts'
import { resolveDynamic } from './dynamic-values.ts'

export const settingsOf = (element: Element, scope: Scope, pass: Pass): Settings =>
  new Settings(element.settings, (text) => resolveDynamic(text, pass, scope))

/**
 * Returns the selector of an element in its document. A component has no wrapper, so the selectors of its elements match in
 * every document.
 */
export function selectorOf({ id, raw }: Element, { document: { post }, globalWidget, globalRoot }: Scope): string {
  if (globalWidget === undefined) {
    const around = post.type === componentType ? '.builder' : `.builder-${post.id}`
    return `${around} .builder-element.builder-element-${id}`
  }
  const root = `.builder-element.builder-global-${globalWidget}`
  return raw === globalRoot ? root : `${root} .builder-element-${id}`
}

interface WrapperOptions {
  /** The type of the element: `container`, `widget` and so on. */
  readonly type: string
  readonly classes: ClassList
  readonly classControls?: readonly ClassControl[]
  /** Further attributes. */
  readonly attributes?: Attributes
  /** The setting that stores the class names of the user. */
  readonly userClasses: string
  /** Settings that page scripts read, besides those of motion. */
  readonly scriptSettings?: readonly string[]
}

export function wrapperAttributes(
  element: Element,
  settings: Settings,
  pass: Pass,
  { type, classes, classControls = [], attributes = {}, userClasses, scriptSettings = [] }: WrapperOptions,
): Attributes {
  const id = textOf(settings.value('_element_id')).trim()
  return {
    ...customAttributes(settings.text('_attributes')),
    class: [
      'builder-element',
      `builder-element-${element.id}`,
      ...classes,
      ...classNames(classControls, settings, pass.breakpoints),
      ...hiddenClasses(settings, pass),
      ...animationClasses(settings),
      writtenClasses(settings.text(userClasses)),
    ],
    id: id === '' ? undefined : written(nameOf(id)),
    'data-id': element.id,
    'data-element_type': type,
    'data-settings': settingsForScripts(settings, scriptSettings),
    ...attributes,
  }
}

const writtenClasses = (text: string): Written =>
  written(
    text
      .split(/\s+/)
      .map((name) => name.replace(/[^\w-]+/g, ''))
      .filter((name) => name !== '')
      .join(' '),
  )

function hiddenClasses(settings: Settings, pass: Pass): string[] {
  const devices = ['desktop', ...pass.breakpoints.active.map(({ key }) => key)]
  return [...new Set(devices)]
    .filter((device) => settings.text(`hide_${device}`) === `hidden-${device}`)
    .map((device) => `builder-hidden-${device}`)
}

function animationClasses(settings: Settings): string[] {
  const duration = settings.choice('animation_duration', ['slow', 'fast'], '')
  return duration === '' ? [] : [`animated-${duration}`]
}

/** Motion and sticky settings, which page scripts read. */
const FOR_SCRIPTS = /^(?:_?animation(?:_(?!duration)\w+)?|sticky(?:_\w+)?|motion_fx_\w+|_animation_delay)$/

function settingsForScripts({ raw }: Settings, further: readonly string[]): string | undefined {
  const found = Object.entries(raw).filter(
    ([name, value]) =>
      (FOR_SCRIPTS.test(name) || further.includes(name)) && !isEmpty(value) && value !== 'none' && value !== '',
  )
  return found.length === 0 ? undefined : JSON.stringify(Object.fromEntries(found))
}

const RESERVED =
  /^(?:on.*|id|class|style|href|src|srcset|srcdoc|formaction|action|data-id|data-settings|data-element_type|data-widget_type|data-model-cid)$/

/** Parses lines of `key|value`. Names lose other characters; names that could run a script or break the wrapper are refused. */
export function customAttributes(text: string, separator: RegExp | string = '\n'): Attributes {
  if (text === '') return {}
  const entries = text
    .split(separator)
    .slice(0, 100)
    .flatMap((line): [string, Written][] => {
      const [key = '', ...rest] = line.split('|')
      const name = key.toLowerCase().replace(/[^-_a-z0-9]+/g, '')
      return /^[a-z]/.test(name) && !RESERVED.test(name) ? [[name, written(rest.join('|').trim())]] : []
    })
  // A browser reads the first of several attributes with one name, so the first wins here.
  return Object.fromEntries(entries.reverse())
}

/** Writes the rules of an element once per document, and rules with dynamic values once per loop item. */
export function writeRules(
  element: Element,
  settings: Settings,
  table: ControlTable,
  { scope, pass, customSetting = 'custom_css' }: { scope: Scope; pass: Pass; customSetting?: string },
): void {
  const owner = String(scope.document.post.id)
  const common = { breakpoints: pass.breakpoints, valuesAt: createValues(settings, pass, element.id) }
  if (scope.loopItem !== undefined && settings.hasDynamic) {
    const selector = `.e-loop-item-${scope.loopItem} .builder-element.builder-element-${element.id}`
    writeControls(table, settings, {
      ...common,
      rules: pass.sheets.of('document', `${owner}-items`),
      selector,
      only: 'dynamic',
    })
  }
  if (pass.styled.has(element.raw)) return
  pass.styled.add(element.raw)
  const selector = selectorOf(element, scope)
  const only = scope.loopItem !== undefined && settings.hasDynamic ? { only: 'static' as const } : {}
  writeControls(table, settings, { ...common, rules: pass.sheets.of('document', owner), selector, ...only })
  writeCustomCss(element.settings, selector, { scope, pass, customSetting })
}

function writeCustomCss(
  raw: RawSettings,
  selector: string,
  { scope, pass, customSetting }: { scope: Scope; pass: Pass; customSetting: string },
): void {
  const css = textOf(ownValue(raw, customSetting))
  if (css.trim() === '' || !pass.isTrusted(scope.document)) return
  pass.sheets.of('custom', 'elements').addText(customCss(css, selector, pass) ?? '')
}
