/** Variables as they are sent. */
import type { OperationResult, Variable, Variables } from './model.ts'

/** Without the id, which is the key of a list or stands beside it. */
export function variableView({ type, label, value, order, ...rest }: Variable) {
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

export const success = <T>(data: T) => ({ success: true, data })

export function listView({ watermark, list }: Variables) {
  // Interface: a map without entries is sent as a list.
  const variables = list.length === 0 ? [] : Object.fromEntries(list.map((one) => [one.id, variableView(one)]))
  return success({ variables, total: list.length, watermark })
}

export function resultView({ type, variable, tempId }: OperationResult) {
  const { id } = variable
  if (type === 'delete') return { type, id, deleted: true }
  return { type, id, ...(type === 'create' ? { temp_id: tempId ?? '' } : {}), variable: variableView(variable) }
}
