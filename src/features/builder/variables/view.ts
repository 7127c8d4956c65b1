/** Responses of the variable routes and their schemas. */

import { bool, int, list, oneOf, str } from '../../../core/declare/args.ts'
import {
  either,
  emptyList,
  exactly,
  fields,
  mapOf,
  sometimes,
  spacedTime,
} from '../../../core/declare/response-schema.ts'
import { success, successSchema } from '../../shared/success.ts'
import type { OperationResult } from './batch.ts'
import { type Variable, type Variables, variableTypes } from './model.ts'

const members = {
  type: oneOf(variableTypes, { description: 'What kind of value it holds.' }),
  label: str({ description: 'The name, unique among active variables.' }),
  value: str({ description: 'A color, a font or a size.' }),
  order: int({ description: 'Its place among the others.' }),
  created_at: sometimes(spacedTime('When a batch created it, in UTC.')),
  updated_at: sometimes(spacedTime('When it was changed, in UTC.')),
  deleted: sometimes(exactly(true)),
  deleted_at: sometimes(spacedTime('When it was deleted, in UTC.')),
  sync_to_v3: sometimes(bool({ description: 'Whether it is part of the style sheet of the design system.' })),
}

const variableSchema = fields(members, { title: 'Variable' })
const watermark = int({ description: 'One more with each write.' })

export const listSchema = successSchema(
  fields({
    variables: either(mapOf(variableSchema, { description: 'The variables by id, deleted ones too.' }), emptyList()),
    total: int(),
    watermark,
  }),
)

export const changedSchema = successSchema(
  fields({ variable: fields({ id: str(), ...members }, { title: 'Identified variable' }), watermark }),
)

const id = str({ description: 'The id of the variable.' })

export const batchSchema = successSchema(
  fields({
    success: exactly(true),
    watermark,
    results: list(
      either(
        fields({
          type: exactly('create'),
          id,
          temp_id: str({ description: 'The id that the client gave it.' }),
          variable: variableSchema,
        }),
        fields({ type: oneOf(['update', 'restore']), id, variable: variableSchema }),
        fields({ type: exactly('delete'), id, deleted: exactly(true) }),
      ),
      { description: 'One for each operation, in their order.' },
    ),
  }),
)

/** Interface: the body of a failed batch differs from other errors. */
export const batchFailureSchema = fields(
  {
    success: exactly(false),
    code: str(),
    message: str(),
    data: mapOf(fields({ status: int(), message: str() }), {
      description: 'What is wrong, by the id that the client gave each operation.',
    }),
  },
  { title: 'Failed batch of variables', description: 'None of the changes was made.' },
)

/** Without the id: it is the key in a list, and a separate member elsewhere. */
function variableView({ type, label, value, order, ...rest }: Variable) {
  return {
    type,
    label,
    value,
    order,
    ...(rest.createdAt === undefined ? {} : { created_at: rest.createdAt }),
    ...(rest.updatedAt === undefined ? {} : { updated_at: rest.updatedAt }),
    ...(rest.deletedAt === undefined ? {} : { deleted: true, deleted_at: rest.deletedAt }),
    ...(rest.syncToV3 === undefined ? {} : { sync_to_v3: rest.syncToV3 }),
  }
}

export const identifiedView = (variable: Variable) => ({ id: variable.id, ...variableView(variable) })

export function listView({ watermark, list }: Variables) {
  // Interface: an empty map is sent as an empty list.
  const variables =
    list.length === 0 ? [] : Object.fromEntries(list.map((variable) => [variable.id, variableView(variable)]))
  return success({ variables, total: list.length, watermark })
}

export function resultView({ type, variable, tempId }: OperationResult) {
  const { id } = variable
  if (type === 'delete') return { type, id, deleted: true }
  return { type, id, ...(type === 'create' ? { temp_id: tempId ?? '' } : {}), variable: variableView(variable) }
}
