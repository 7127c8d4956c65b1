/** Reads variables of the kit: colours, fonts and sizes to which new-generation styles refer by id. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { colorText, fontList, type OnUnsafe, valueText } from '../css/values.ts'
import { isObject, nameOf, objectOf, ownValue, textOf } from '../document/values.ts'

export interface KitVariable {
  readonly id: string
  /** `color`, `font` or `size`. */
  readonly kind: 'color' | 'font' | 'size'
  /** The custom property. A deleted variable is named by its id, because another one may have taken its label. */
  readonly property: string
  readonly value: string
}

const KINDS: { readonly [type: string]: KitVariable['kind'] } = lookupTable({
  'global-color-variable': 'color',
  'global-font-variable': 'font',
  'global-size-variable': 'size',
  'global-custom-size-variable': 'size',
})

export const variableKinds: ReadonlySet<string> = new Set(Object.keys(KINDS))

/** Returns variables by id. */
export function readVariables(stored: unknown): ReadonlyMap<string, KitVariable> {
  const list = ownValue(objectOf(stored), 'list')
  const variables = (Array.isArray(list) ? list : []).filter(isObject).flatMap((one): KitVariable[] => {
    const id = nameOf(ownValue(one, 'id'))
    const type = textOf(ownValue(one, 'type'))
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
    const isDeleted = textOf(ownValue(one, 'deletedAt')) !== ''
    const name = isDeleted ? id : nameOf(ownValue(one, 'label'))
    if (id === '' || name === '' || !kind) return []
    return [{ id, kind, property: `--${name}`, value: textOf(ownValue(one, 'value')).trim() }]
  })
  return new Map(variables.map((variable) => [variable.id, variable]))
}

/** Writes the value as CSS; undefined when it is empty or unsafe. */
export function variableText({ kind, value }: KitVariable, onUnsafe: OnUnsafe): string | undefined {
  if (kind === 'color') return colorText(value, onUnsafe)
  return kind === 'font' ? fontList(value, onUnsafe)?.text : valueText(value, onUnsafe)
}
