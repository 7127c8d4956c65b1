/** Batches of operations on variables: all are made under one watermark, or none. */
import { ApiError, isApiError } from '../../../core/declare/errors.ts'
import {
  type ChangeContext,
  cleanText,
  createVariable,
  deleteVariable,
  isOfLength,
  isVariableValue,
  limits,
  nextWatermark,
  restoreVariable,
  updateVariable,
  type Variable,
  type VariableChange,
  type Variables,
  type VariableValues,
  variableTypes,
} from './model.ts'

export interface OperationResult {
  readonly type: 'create' | 'update' | 'delete' | 'restore'
  readonly variable: Variable
  /** The client's id of a new variable. */
  readonly tempId?: string
}

/** Lists the errors of one class, by the client's id of the variable, and the code of the class. */
export interface BatchFailure {
  readonly code: string
  readonly errors: ReadonlyMap<string, ApiError>
}

export type BatchOutcome =
  | { readonly variables: Variables; readonly results: readonly OperationResult[] }
  | { readonly failure: BatchFailure }

type Operation = { readonly [name: string]: unknown }

/** Runs all operations in order; each works on the result of the earlier ones. One error makes the whole batch fail. */
export function runOperations(
  stored: Variables,
  operations: readonly Operation[],
  context: ChangeContext,
): BatchOutcome {
  const results: OperationResult[] = []
  const errors = new Map<string, ApiError>()
  let variables = stored
  for (const [index, operation] of operations.entries()) {
    try {
      const result = runOperation(variables, operation, context)
      variables = result.variables
      results.push(result)
    } catch (error) {
      if (!isApiError(error)) throw error
      errors.set(clientIdOf(operation) || `operation_${index}`, error)
    }
  }
  if (errors.size > 0) return { failure: toFailure(errors) }
  return { results, variables: { ...variables, watermark: nextWatermark(stored) } }
}

/** Interface: throws 409 if a variable of the batch was changed after the watermark that the client has read. */
export function checkWatermark({ watermark, list }: Variables, operations: readonly Operation[], read: number): void {
  const ids = new Set(operations.filter(({ type }) => type !== 'create').map(({ id }) => id))
  if (!list.some(({ id, changedAt }) => changedAt > read && ids.has(id))) return
  throw new ApiError('watermark_conflict', 'A variable was changed in the meantime.', 409, { watermark })
}

function runOperation(
  variables: Variables,
  operation: Operation,
  context: ChangeContext,
): VariableChange & OperationResult {
  const id = typeof operation.id === 'string' ? operation.id : ''
  switch (operation.type) {
    case 'create': {
      const { type, label, value, ...rest } = operationValues(operation.variable)
      if (type === undefined || label === undefined || value === undefined)
        throw operationError('it needs type, label and value')
      // Interface: only variables created by a batch have `created_at`.
      const dates = { createdAt: context.now, updatedAt: context.now }
      const changed = createVariable(variables, { ...rest, type, label, value, ...dates }, context)
      return { type: 'create', tempId: clientIdOf(operation), ...changed }
    }
    case 'update':
      return { type: 'update', ...updateVariable(variables, id, operationValues(operation.variable), context) }
    case 'delete':
      return { type: 'delete', ...deleteVariable(variables, id, context) }
    case 'restore': {
      // Interface: `type` is the type of the operation here, so a restore cannot change the type of the variable.
      const { label, value } = operation
      return { type: 'restore', ...restoreVariable(variables, id, operationValues({ label, value }), context) }
    }
    default:
      throw operationError('this operation is not built')
  }
}

/** The client's id of the variable of an operation; empty if it is missing. */
function clientIdOf({ type, id, variable }: Operation): string {
  const clientId = type === 'create' ? (variable as { id?: unknown } | null | undefined)?.id : id
  return typeof clientId === 'string' ? clientId : ''
}

const operationError = (problem: string) =>
  new ApiError('batch_operation_failed', `The operation failed: ${problem}.`, 400)

function operationValues(input: unknown): VariableValues {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw operationError('it has no variable')
  const { type, label, value, order, sync_to_v3: syncToV3 } = input as Operation
  if (type !== undefined && !variableTypes.some((name) => name === type)) throw operationError('the type is unknown')
  if (order !== undefined && !(Number.isSafeInteger(order) && Number(order) >= 0))
    throw operationError('the order is no number')
  if (syncToV3 !== undefined && typeof syncToV3 !== 'boolean') throw operationError('sync_to_v3 is not true or false')
  const values = { label: operationText('label', label), value: operationText('value', value) }
  if (values.value !== undefined && !isVariableValue(values.value)) throw operationError('the value is not harmless')
  // The casts: both were checked above.
  return { type: type as string | undefined, order: order as number | undefined, syncToV3, ...values }
}

function operationText(name: 'label' | 'value', input: unknown): string | undefined {
  if (input === undefined) return undefined
  const text = typeof input === 'string' ? cleanText(input) : ''
  if (!isOfLength(name, text)) throw operationError(`the ${name} is empty or has more than ${limits[name]} characters`)
  return text
}

/** Error classes by rank. Other errors belong to a last class, `batch_operation_failed`. */
const errorClasses = [
  { code: 'batch_variables_limit_reached', errorCode: 'invalid_variable_limit_reached' },
  { code: 'batch_duplicated_label', errorCode: 'duplicated_label' },
  { code: 'batch_variables_not_found', errorCode: 'variable_not_found' },
] as const

const lastClass = 'batch_operation_failed'
const classOf = ({ code }: ApiError) => errorClasses.find(({ errorCode }) => errorCode === code)?.code ?? lastClass

/** Interface: only the errors of the first class that occurs are listed. */
function toFailure(errors: ReadonlyMap<string, ApiError>): BatchFailure {
  const occurring = new Set([...errors.values()].map(classOf))
  const code = errorClasses.find((errorClass) => occurring.has(errorClass.code))?.code ?? lastClass
  return { code, errors: new Map([...errors].filter(([, error]) => classOf(error) === code)) }
}
