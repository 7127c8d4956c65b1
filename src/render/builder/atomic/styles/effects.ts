/** Shadows, filters, transforms and transitions. */
import { PROPERTIES as PLAIN_PROPERTIES } from '../../../filter/style-properties.ts'
import type { Declarations } from '../../css/rules.ts'
import { isObject, ownValue, textOf } from '../../document/values.ts'
import { type Compound, joinedList, type ListCompound, pairs } from './compound.ts'
import { STYLE_PROPERTIES } from './property-names.ts'
import type { StyleValues } from './values.ts'

export const boxShadow: ListCompound = {
  properties: ['box-shadow'],
  writeList: (entries, values) =>
    joinedList(
      'box-shadow',
      entries.map((entry) => shadowText(entry, values)),
      ', ',
    ),
}

export const shadow: Compound = {
  properties: ['box-shadow'],
  write: (members, values) => {
    const text = shadowParts(members, values)
    return text === undefined ? [] : [['box-shadow', text]]
  },
}

const shadowText = (entry: unknown, values: StyleValues): string | undefined => {
  const members = values.members(entry)
  return shadowParts((name) => ownValue(members, name), values)
}

const SHADOW = ['hOffset', 'vOffset', 'blur', 'spread'] as const
const INSET: ReadonlySet<string> = new Set(['inset'])

function shadowParts(members: (name: string) => unknown, values: StyleValues): string | undefined {
  const lengths = SHADOW.map((name) => values.text(members(name)))
  const color = values.text(members('color'))
  if (color === undefined && lengths.every((length) => length === undefined)) return undefined
  const position = values.keyword(members('position'), INSET)
  return [...lengths.map((length) => length ?? '0px'), color, position].filter((part) => part !== undefined).join(' ')
}

// ---------------------------------------------------------------- filters

const FILTERS: ReadonlySet<string> = new Set(
  'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia'.split(' '),
)

export const filter: ListCompound = {
  properties: ['filter', 'backdrop-filter'],
  writeList: (entries, values, property) =>
    joinedList(
      property,
      entries.map((entry) => filterText(entry, values)),
      ' ',
    ),
}

function filterText(entry: unknown, values: StyleValues): string | undefined {
  const members = values.members(entry)
  const name = values.keyword(ownValue(members, 'func'), FILTERS)
  const args = values.tag(ownValue(members, 'args'))
  if (name === undefined || !args) return undefined
  const inner = isObject(args.value) ? args.value : {}
  const part = (...names: readonly string[]) => {
    const found = names.find((one) => Object.hasOwn(inner, one))
    return found === undefined ? undefined : values.text(inner[found])
  }
  if (name === 'drop-shadow') {
    const lengths = [part('xAxis', 'x', 'hOffset'), part('yAxis', 'y', 'vOffset'), part('blur')]
    const color = part('color')
    const text = lengths.map((length) => length ?? '0px').join(' ')
    return `drop-shadow(${color === undefined ? text : `${text} ${color}`})`
  }
  const size = args.kind === 'size' || !isObject(args.value) ? values.textOf(args) : part('size')
  return size === undefined ? undefined : `${name}(${size})`
}

// ---------------------------------------------------------------- transforms

export const transform: Compound = {
  properties: ['transform'],
  write: (members, values) => [
    ...joinedList('transform', transformTexts(members('transform-functions'), values), ' '),
    ...pairs([
      ['transform-origin', axesText(members('transform-origin'), ['x', 'y', 'z'], values)],
      ['perspective', values.text(members('perspective'))],
      ['perspective-origin', axesText(members('perspective-origin'), ['x', 'y'], values)],
    ]),
  ],
}

export const transformFunctions: ListCompound = {
  properties: ['transform'],
  writeList: (entries, values): Declarations =>
    joinedList(
      'transform',
      entries.map((entry) => functionText(entry, values)),
      ' ',
    ),
}

const transformTexts = (value: unknown, values: StyleValues) =>
  values.list(value).map((entry) => functionText(entry, values))

function functionText(entry: unknown, values: StyleValues): string | undefined {
  const members = values.members(entry)
  const part = (name: string, byDefault: string) => values.text(ownValue(members, name)) ?? byDefault
  const parts = (byDefault: string, ...names: readonly string[]) =>
    names.map((name) => part(name, byDefault)).join(', ')
  switch (values.tag(entry)?.kind) {
    case 'transform-move':
      return `translate3d(${parts('0px', 'x', 'y', 'z')})`
    case 'transform-scale':
      return `scale3d(${parts('1', 'x', 'y', 'z')})`
    case 'transform-rotate':
      return `rotateX(${part('x', '0deg')}) rotateY(${part('y', '0deg')}) rotateZ(${part('z', '0deg')})`
    case 'transform-skew':
      return `skew(${parts('0deg', 'x', 'y')})`
    default:
      return undefined
  }
}

/** Returns undefined when the value has no axis. */
function axesText(value: unknown, axes: readonly string[], values: StyleValues): string | undefined {
  const members = values.members(value)
  const parts = axes.map((axis) => values.text(ownValue(members, axis)))
  if (parts.every((part) => part === undefined)) return undefined
  return parts.map((part) => part ?? '0px').join(' ')
}

// ---------------------------------------------------------------- transitions

export const transition: ListCompound = {
  properties: ['transition'],
  writeList: (entries, values) =>
    joinedList(
      'transition',
      entries.map((entry) => transitionText(entry, values)),
      ', ',
    ),
}

function transitionText(entry: unknown, values: StyleValues): string | undefined {
  const members = values.members(entry)
  const selection = values.members(ownValue(members, 'selection'))
  const property = textOf(values.tag(ownValue(selection, 'value'))?.value)
  const time = values.text(ownValue(members, 'size'))
  if (property === '' || time === undefined) return undefined
  if (property === 'all' || STYLE_PROPERTIES.has(property) || PLAIN_PROPERTIES.has(property))
    return `${property} ${time}`
  values.warn('unknown_property')
  return undefined
}
