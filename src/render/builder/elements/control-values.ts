/**
 * Reads the settings of an element for its controls: globals of the kit win over dynamic values, and these over stored ones.
 */

import type { ControlValues, Sides } from '../controls/control.ts'
import * as css from '../css/values.ts'
import { fileAddress } from '../document/addresses.ts'
import type { Settings } from '../document/settings.ts'
import { idOf, isEmpty, isObject, nameOf, numberOf, ownValue, textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'

type ValuesAt = (breakpoint: string, defaults?: { readonly [breakpoint: string]: unknown }) => ControlValues

/** `element` is the id that warnings name. */
export function createValues(settings: Settings, pass: Pass, element?: string): ValuesAt {
  const onUnsafe = () => pass.warnings.add('unsafe_value', element)
  const onMissing = () => pass.warnings.add('missing_global', element)
  return (breakpoint, defaults) => {
    const nameAt = (setting: string) => (breakpoint === 'desktop' ? setting : `${setting}_${breakpoint}`)
    const raw = (setting: string) => {
      const value = settings.value(nameAt(setting))
      return defaults !== undefined && isEmpty(value) ? ownValue(defaults, breakpoint) : value
    }
    const colorOf = (value: unknown) => css.colorText(value, onUnsafe)
    return {
      breakpoint,
      genericFont: pass.kit.genericFont,
      raw,
      rawDesktop: (setting) => settings.value(setting),
      color: (setting) => {
        const global = globalId(settings, nameAt(setting), 'colors')
        return global === undefined ? colorOf(raw(setting)) : pass.kit.colorVariable(global, onMissing)
      },
      colorOf,
      size: (setting, unit) => css.sizeText(raw(setting), onUnsafe, unit),
      sizeOf: (value, unit) => css.sizeText(value, onUnsafe, unit),
      number: (setting) => {
        const value = raw(setting)
        return numberOf(isObject(value) ? ownValue(value, 'size') : value)
      },
      keyword: (setting, keywords) => css.keywordText(raw(setting), keywords),
      text: (setting) => css.valueText(raw(setting), onUnsafe),
      font: (setting) => {
        const family = css.fontText(raw(setting), onUnsafe)
        if (family !== undefined) pass.fonts.add(textOf(raw(setting)).trim())
        return family
      },
      sides: (setting) => sidesOf(raw(setting), onUnsafe),
      items: (setting) =>
        settings.items(setting).map((item) => ({
          selector: `& .builder-repeater-item-${nameOf(item.raw['_id'])}`,
          values: createValues(item, pass, element)(breakpoint),
        })),
      image: (setting) => imageText(raw(setting), pass),
      globalTypography: (group) => {
        const global = globalId(settings, `${group}_typography`, 'typography')
        return global === undefined ? undefined : pass.kit.typographyVariables(global, onMissing)
      },
    }
  }
}

/** Returns the id in `globals/colors?id=primary`. */
function globalId(settings: Settings, name: string, kind: 'colors' | 'typography'): string | undefined {
  const stored = textOf(ownValue(settings.globals, name))
  const start = `globals/${kind}?id=`
  return stored.startsWith(start) && stored.length > start.length ? stored.slice(start.length) : undefined
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const

function sidesOf(value: unknown, onUnsafe: css.OnUnsafe): Sides | undefined {
  if (!isObject(value)) return undefined
  const unit = textOf(ownValue(value, 'unit')) || 'px'
  const sides = SIDES.flatMap((side) => {
    const text = sideText(ownValue(value, side), unit, onUnsafe)
    return text === undefined ? [] : [[side, text] as const]
  })
  return sides.length === 0 ? undefined : Object.fromEntries(sides)
}

/** Accepts a length, or `auto` for margins. */
const sideText = (value: unknown, unit: string, onUnsafe: css.OnUnsafe): string | undefined =>
  value === 'auto' ? 'auto' : css.lengthText(value, unit, onUnsafe)

/** The record wins over the stored address. */
function imageText(value: unknown, pass: Pass): string | undefined {
  if (!isObject(value)) return undefined
  const id = idOf(ownValue(value, 'id'))
  const medium = id === undefined ? undefined : pass.medium(id)
  const named = medium?.sizes.get(textOf(ownValue(value, 'size')))
  const address = fileAddress(named?.address ?? medium?.address ?? textOf(ownValue(value, 'url')))
  return address === '' ? undefined : css.urlText(address)
}
