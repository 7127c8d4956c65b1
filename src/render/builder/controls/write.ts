/**
 * Runs a table of controls on the settings of one element. The cost depends on the number of settings, not on the size of the
 * table.
 */
import { type Breakpoint, type Breakpoints, breakpointKeys } from '../css/breakpoints.ts'
import type { RuleSet } from '../css/rules.ts'
import type { Settings } from '../document/settings.ts'
import { objectOf, ownValue, textOf } from '../document/values.ts'
import type { Control, ControlValues, When } from './control.ts'

export interface ControlTable {
  readonly controls: readonly Control[]
  /** Indexes of the controls that read a setting, by its name. */
  readonly readers: ReadonlyMap<string, readonly number[]>
  readonly withDefaults: readonly number[]
}

export function createControlTable(controls: readonly Control[]): ControlTable {
  const readers = new Map<string, number[]>()
  for (const [index, { settings }] of controls.entries()) {
    for (const setting of settings) {
      const listed = readers.get(setting)
      if (listed) listed.push(index)
      else readers.set(setting, [index])
    }
  }
  const withDefaults = controls.flatMap(({ defaults }, index) => (defaults ? [index] : []))
  return { controls, readers, withDefaults }
}

/** The rule set and the selector that controls write to. */
interface ControlTarget {
  readonly rules: RuleSet
  /** The selector that replaces `&`. */
  readonly selector: string
  readonly breakpoints: Breakpoints
  /** Creates a reader for one breakpoint. */
  readonly valuesAt: (breakpoint: string, defaults?: { readonly [breakpoint: string]: unknown }) => ControlValues
  /** `static` skips controls that read a dynamic value; `dynamic` runs only those. */
  readonly only?: 'static' | 'dynamic'
}

const ENDING = new RegExp(`^(.+)_(${breakpointKeys.join('|')})$`)
/** A bound above the number of breakpoints. */
const STRIDE = 16

export function writeControls(table: ControlTable, settings: Settings, target: ControlTarget): void {
  const { active } = target.breakpoints
  for (const hit of hitsOf(table, settings, active)) {
    const control = table.controls[Math.floor(hit / STRIDE)]
    const breakpoint = active[hit % STRIDE]
    if (control && breakpoint) runControl(control, breakpoint, settings, target)
  }
}

function runControl(control: Control, breakpoint: Breakpoint, settings: Settings, target: ControlTarget): void {
  if (target.only && isDynamic(control, settings) !== (target.only === 'dynamic')) return
  if (control.when && !holds(control.when, settings)) return
  const at = control.isAboveMobile ? target.breakpoints.aboveMobile(breakpoint) : breakpoint
  for (const [selector, declarations] of control.write(target.valuesAt(breakpoint.key, control.defaults)) ?? []) {
    target.rules.add(at, selector.replaceAll('&', target.selector), declarations)
  }
}

/** Encodes pairs of a control and a breakpoint as numbers, sorted by the order of the table. */
function hitsOf(table: ControlTable, settings: Settings, active: readonly Breakpoint[]): number[] {
  const hits = new Set<number>()
  const note = (name: string) => noteSetting(table, name, active, hits)
  for (const name of Object.keys(settings.raw)) note(name)
  for (const name of Object.keys(settings.dynamic)) note(name)
  for (const name of Object.keys(settings.globals)) note(name)
  for (const index of table.withDefaults) {
    const { defaults = {} } = table.controls[index] as Control
    for (const [at, { key }] of active.entries()) if (Object.hasOwn(defaults, key)) hits.add(index * STRIDE + at)
  }
  return [...hits].sort((a, b) => a - b)
}

function noteSetting(table: ControlTable, name: string, active: readonly Breakpoint[], hits: Set<number>): void {
  for (const index of table.readers.get(name) ?? []) hits.add(index * STRIDE)
  const [, base, ending] = name.includes('_') ? (ENDING.exec(name) ?? []) : []
  if (base === undefined) return
  const at = active.findIndex(({ key }) => key === ending)
  if (at === -1) return
  for (const index of table.readers.get(base) ?? []) {
    if (table.controls[index]?.isResponsive) hits.add(index * STRIDE + at)
  }
}

function isDynamic({ settings: names }: Control, settings: Settings): boolean {
  if (!settings.hasDynamic) return false
  return names.some(
    (name) => settings.isDynamic(name) || breakpointKeys.some((ending) => settings.isDynamic(`${name}_${ending}`)),
  )
}

/** A switch counts as on when its setting refers to a colour or typography of the kit. */
export function holds(when: When, settings: Settings): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    const text = textOf(settings.value(name))
    if (typeof wanted === 'string' ? text === wanted : wanted.includes(text)) return true
    return typeof ownValue(objectOf(settings.globals), name) === 'string' && settings.globals[name] !== ''
  })
}
