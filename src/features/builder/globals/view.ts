/** Response schemas of global items. Items are sent as they are stored. */

import { type Arg, anything, str } from '../../../core/declare/args.ts'
import { fields, mapOf, openFields } from '../../../core/declare/response-schema.ts'
import type { GlobalKind } from './model.ts'

const color = str({ description: 'As style sheets write it; empty: none.' })
const settings = mapOf(anything(), { description: 'Settings of the typography by name.' })

function schemasOf<T>(value: Arg<T>, title: string) {
  const members = {
    id: str(),
    title: str({ description: 'As people call it.' }),
    value,
  }
  const item = fields(members, { title })
  return {
    item,
    list: mapOf(item, { description: 'Items by id.' }),
    /** Interface: a write returns the body, with members that are not declared. */
    echo: openFields(members),
  }
}

export const globalSchemas = {
  colors: schemasOf(color, 'Global color'),
  typography: schemasOf(settings, 'Global typography'),
} satisfies { readonly [kind in GlobalKind]: unknown }

export const globalsSchema = fields(
  { colors: globalSchemas.colors.list, typography: globalSchemas.typography.list },
  { title: 'Global colors and typography' },
)
