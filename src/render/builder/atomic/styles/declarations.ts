/** Writes the declarations of one style property. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Declarations } from '../../css/rules.ts'
import { isObject, ownValue } from '../../document/values.ts'
import { background, backgroundOverlay } from './background.ts'
import { borderRadius, borderWidth, dimensions, flex, layoutDirection, objectPosition, stroke } from './boxes.ts'
import type { Compound, ListCompound } from './compound.ts'
import { boxShadow, filter, shadow, transform, transformFunctions, transition } from './effects.ts'
import { STYLE_PROPERTIES } from './property-names.ts'
import type { StyleValues } from './values.ts'

/** Value kinds that set several properties. All others are a single CSS value. */
const COMPOUNDS: { readonly [kind: string]: Compound | ListCompound } = lookupTable({
  dimensions,
  'border-radius': borderRadius,
  'border-width': borderWidth,
  'layout-direction': layoutDirection,
  'object-position': objectPosition,
  stroke,
  flex,
  background,
  'background-overlay': backgroundOverlay,
  'box-shadow': boxShadow,
  shadow,
  filter,
  'backdrop-filter': filter,
  transform,
  'transform-functions': transformFunctions,
  transition,
})

export function declarationsOf(property: string, stored: unknown, values: StyleValues): Declarations {
  if (!STYLE_PROPERTIES.has(property)) {
    values.warn('unknown_property')
    return []
  }
  const found = values.property(stored)
  if (!found) return []
  const compound = Object.hasOwn(COMPOUNDS, found.kind) ? COMPOUNDS[found.kind] : undefined
  if (compound) return compoundDeclarations(compound, { property, value: found.value, values })
  const text = property === 'font-family' ? values.fonts(found) : values.textOf(found)
  return text === undefined ? [] : [[property, text]]
}

function compoundDeclarations(
  compound: Compound | ListCompound,
  { property, value, values }: { readonly property: string; readonly value: unknown; readonly values: StyleValues },
): Declarations {
  if (!compound.properties.includes(property)) return []
  if ('writeList' in compound) return Array.isArray(value) ? compound.writeList(value, values, property) : []
  return isObject(value) ? compound.write((name) => ownValue(value, name), values, property) : []
}
