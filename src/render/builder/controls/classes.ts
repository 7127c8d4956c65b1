/** Controls that write class names of the wrapper: `builder-align-center`, `builder-mobile-align-justify`. */
import type { Breakpoints } from '../css/breakpoints.ts'
import type { Settings } from '../document/settings.ts'

/** Writes a class name from a prefix and the value of a setting. */
export interface ClassControl {
  readonly setting: string
  /** `%s` becomes `-<device>`, or nothing on desktop; the value follows the prefix. */
  readonly prefix: string
  readonly byDefault?: string
  readonly isResponsive?: boolean
  /**
   * Maps the value to the end of the class name; undefined writes no class. Default: the value, reduced to letters, digits,
   * hyphens and underscores.
   */
  readonly map?: (value: string) => string | undefined
}

/**
 * Creates a control that writes a class name from a prefix and the value of a setting.
 *
 * ```ts
 * import { h, prefixClass, widget } from 'site-api/render'
 *
 * export const box = widget({ html: () => h('p', {}), classes: [prefixClass('align', 'box-align-')] })
 * ```
 */
export const prefixClass = (
  setting: string,
  prefix: string,
  options: Omit<ClassControl, 'setting' | 'prefix'> = {},
): ClassControl => ({ setting, prefix, ...options })

export function classNames(controls: readonly ClassControl[], settings: Settings, breakpoints: Breakpoints): string[] {
  const classes: string[] = []
  for (const control of controls) {
    const { setting, prefix, byDefault = '', isResponsive } = control
    push(classes, prefix.replace('%s', ''), settings.text(setting, byDefault), control)
    if (!isResponsive) continue
    for (const { key } of breakpoints.active) {
      if (key === 'desktop' || !settings.has(`${setting}_${key}`)) continue
      push(classes, prefix.replace('%s', `-${key}`), settings.text(`${setting}_${key}`), control)
    }
  }
  return classes
}

function push(classes: string[], prefix: string, value: string, { map }: ClassControl): void {
  const name = map && value !== '' ? (map(value) ?? '') : value
  const safe = name.replace(/[^\w-]+/g, '')
  if (safe !== '') classes.push(prefix + safe)
}
