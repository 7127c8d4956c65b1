/** Writes backgrounds: a colour below layers of colours, gradients and images. */
import type { Declaration, Declarations } from '../../css/rules.ts'
import { numberText } from '../../css/values.ts'
import { ownValue } from '../../document/values.ts'
import { type Compound, type ListCompound, pairs } from './compound.ts'
import type { StyleValues } from './values.ts'

export const background: Compound = {
  properties: ['background'],
  write: (members, values) => {
    const overlay = values.tag(members('background-overlay'))
    const layers =
      overlay?.kind === 'background-overlay' && Array.isArray(overlay.value) ? layersOf(overlay.value, values) : []
    return [
      ...pairs([['background-color', values.text(members('color'))]]),
      ...layers,
      ...pairs([['background-clip', values.text(members('clip'))]]),
    ]
  },
}

export const backgroundOverlay: ListCompound = {
  properties: ['background'],
  writeList: (entries, values) => layersOf(entries, values),
}

interface Layer {
  readonly image: string
  readonly repeat?: string | undefined
  readonly attachment?: string | undefined
  readonly size?: string | undefined
  readonly position?: string | undefined
}

const DEFAULTS = { repeat: 'repeat', attachment: 'scroll', size: 'auto auto', position: '0% 0%' } as const

/** The first entry is the top layer, as in CSS. */
function layersOf(entries: readonly unknown[], values: StyleValues): Declarations {
  const layers = entries.map((entry) => layerOf(entry, values)).filter((layer) => layer !== undefined)
  if (layers.length === 0) return []
  const lists = (['repeat', 'attachment', 'size', 'position'] as const).map((name): Declaration => {
    const parts = layers.map((layer) => layer[name] ?? DEFAULTS[name])
    return [`background-${name}`, new Set(parts).size === 1 ? (parts[0] ?? '') : parts.join(', ')]
  })
  return [['background-image', layers.map(({ image }) => image).join(', ')], ...lists]
}

function layerOf(entry: unknown, values: StyleValues): Layer | undefined {
  const found = values.tag(entry)
  const members = (name: string) => ownValue(values.members(entry), name)
  if (found?.kind === 'background-color-overlay') {
    const color = values.text(members('color'))
    return color === undefined ? undefined : { image: `linear-gradient(${color}, ${color})` }
  }
  if (found?.kind === 'background-gradient-overlay') {
    const image = gradientOf(members, values)
    return image === undefined ? undefined : { image }
  }
  if (found?.kind !== 'background-image-overlay') return undefined
  const image = values.image(members('image'))
  if (image === undefined) return undefined
  return {
    image,
    repeat: values.text(members('repeat')),
    attachment: values.text(members('attachment')),
    size: partsOf(members('size'), { names: ['width', 'height'], byDefault: 'auto' }, values),
    position: partsOf(members('position'), { names: ['x', 'y'], byDefault: '0px' }, values),
  }
}

/** Returns a keyword, or two sizes. */
function partsOf(
  value: unknown,
  { names, byDefault }: { readonly names: readonly string[]; readonly byDefault: string },
  values: StyleValues,
): string | undefined {
  const found = values.tag(value)
  if (typeof found?.value !== 'object') return values.textOf(found)
  if (found.kind === 'size') return values.textOf(found)
  const members = values.members(value)
  return names.map((name) => values.text(ownValue(members, name)) ?? byDefault).join(' ')
}

function gradientOf(members: (name: string) => unknown, values: StyleValues): string | undefined {
  const stops = values
    .list(members('stops'))
    .map((stop) => stopOf(stop, values))
    .filter((stop) => stop !== undefined)
    .join(', ')
  if (stops === '') return undefined
  if (values.text(members('type')) === 'radial')
    return `radial-gradient(circle at ${values.text(members('positions')) ?? 'center center'}, ${stops})`
  return `linear-gradient(${numberText(values.number(members('angle')) ?? 180)}deg, ${stops})`
}

function stopOf(stop: unknown, values: StyleValues): string | undefined {
  const members = values.members(stop)
  const color = values.text(ownValue(members, 'color'))
  const offset = values.number(ownValue(members, 'offset'))
  if (color === undefined) return undefined
  return offset === undefined ? color : `${color} ${numberText(offset)}%`
}
