/** Gaps: a row and a column, or one size for both in older data. */
import type { Declarations } from '../css/rules.ts'
import { isObject, ownValue } from '../document/values.ts'
import { type Control, type ControlOptions, compound } from './control.ts'

export const gaps = (
  setting: string,
  selector: string,
  css: (row: string, column: string) => Declarations,
  options: ControlOptions = {},
): Control =>
  compound(
    [setting],
    (values) => {
      const value = values.raw(setting)
      if (!isObject(value)) return undefined
      const unit = ownValue(value, 'unit')
      const part = (name: string) => values.sizeOf({ unit, size: ownValue(value, name) ?? ownValue(value, 'size') })
      const [row, column] = [part('row'), part('column')]
      if (row === undefined && column === undefined) return undefined
      return [[selector, css(row ?? '0px', column ?? '0px')]]
    },
    { isResponsive: true, ...options },
  )
