/** Sides, corners, gaps, flex factors and strokes. */
import { numberText } from '../../css/values.ts'
import { type Compound, pairs } from './compound.ts'

const SIDES = ['block-start', 'block-end', 'inline-start', 'inline-end']
const CORNERS = ['start-start', 'start-end', 'end-start', 'end-end']

export const dimensions: Compound = {
  properties: ['padding', 'margin'],
  write: (members, values, property) => pairs(SIDES.map((side) => [`${property}-${side}`, values.text(members(side))])),
}

export const borderRadius: Compound = {
  properties: ['border-radius'],
  write: (members, values) => pairs(CORNERS.map((corner) => [`border-${corner}-radius`, values.text(members(corner))])),
}

export const borderWidth: Compound = {
  properties: ['border-width'],
  write: (members, values) => pairs(SIDES.map((side) => [`border-${side}-width`, values.text(members(side))])),
}

export const layoutDirection: Compound = {
  properties: ['gap'],
  write: (members, values) => pairs(['column', 'row'].map((axis) => [`${axis}-gap`, values.text(members(axis))])),
}

export const objectPosition: Compound = {
  properties: ['object-position'],
  write: (members, values) => {
    const [x, y] = [values.text(members('x')), values.text(members('y'))]
    return x === undefined && y === undefined ? [] : [['object-position', `${x ?? '0px'} ${y ?? '0px'}`]]
  },
}

export const stroke: Compound = {
  properties: ['stroke'],
  write: (members, values) => {
    const [width, color] = [values.text(members('width')), values.text(members('color'))]
    const both = [width, color].filter((part) => part !== undefined).join(' ')
    return pairs([
      ['-webkit-text-stroke', both === '' ? undefined : both],
      ['stroke', color],
      ['stroke-width', width],
    ])
  },
}

/** CSS has no shorthand for a basis or a shrink factor alone, so the missing factors are written with their defaults. */
export const flex: Compound = {
  properties: ['flex'],
  write: (members, values) => {
    const factor = (name: string) => {
      const number = values.number(members(name))
      return number === undefined || number < 0 ? undefined : numberText(number)
    }
    const [grow, shrink, basis] = [factor('flexGrow'), factor('flexShrink'), values.text(members('flexBasis'))]
    if (basis !== undefined) {
      const byDefault = shrink === undefined ? '1' : shrink
      return [['flex', `${grow ?? '0'} ${byDefault} ${basis}`]]
    }
    if (shrink !== undefined) return [['flex', `${grow ?? '0'} ${shrink}`]]
    return pairs([['flex', grow]])
  },
}
