/**
 * Variables of the kit and the rules they obey. All functions that change are plain: from what is stored to what shall be
 * stored, or a thrown refusal; `changeKit` decides between those who write at once.
 */
import { ApiError, isApiError } from '../../../core/declare/errors.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { isCssValue, kitPart } from '../../shared/kit/model.ts'

export const limits = { active: 1000, id: 64, label: 50, value: 512 } as const

const sizeTypes = ['global-size-variable', 'global-custom-size-variable'] as const
export const variableTypes = ['global-color-variable', 'global-font-variable', ...sizeTypes] as const
/** Interface: `reorder` is known but has never been built; it fails as an operation. */
export const operationTypes = ['create', 'update', 'delete', 'restore', 'reorder'] as const

export interface Variable {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly value: string
  readonly order: number
  readonly createdAt?: string
  readonly updatedAt?: string
  /** Deleted variables stay: documents may still name them. */
  readonly deletedAt?: string
  readonly syncToV3?: boolean
  /** The watermark of the write that changed it last. */
  readonly changedAt: number
}

export interface Variables {
  /** One more with each write. */
  readonly watermark: number
  /** In the order of creation. */
  readonly list: readonly Variable[]
}

export const variablesPart = kitPart<Variables>('variables', { watermark: 0, list: [] })

/** When a change happens and with which new ids. */
export interface Moment {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly newId: () => string
}

export interface VariableValues {
  readonly type?: string
  readonly label?: string
  readonly value?: string
  readonly order?: number
  readonly syncToV3?: boolean
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** What one change makes of all variables, and the one it changed. */
export interface Changed {
  readonly variables: Variables
  readonly variable: Variable
}

/** Interface: it begins anew at 1 after the largest number. */
export const nextWatermark = ({ watermark }: Variables) => (watermark >= Number.MAX_SAFE_INTEGER ? 1 : watermark + 1)

// ---------------------------------------------------------------- texts

export const cleanText = (text: string): string => stripTags(text).trim()

export const isOfLength = (name: 'id' | 'label' | 'value', text: string): boolean =>
  text !== '' && text.length <= limits[name]

export const isVariableValue = isCssValue

/**
 * Interface: a label that passed as an argument but is no name still has the code of an unexpected error. Choice: the rule
 * that clients keep, because the label becomes the name of a custom property.
 */
const isName = (label: string) => /^[\w-]*[A-Za-z0-9][\w-]*$/.test(label)

const badLabel = () =>
  new ApiError('unexpected_server_error', 'A label has letters, digits, hyphens and underscores only.', 400)

// ---------------------------------------------------------------- changes

export function createVariable(
  variables: Variables,
  values: Required<Pick<VariableValues, 'type' | 'label' | 'value'>> & VariableValues,
  { newId }: Moment,
): Changed {
  const { watermark, list } = variables
  refuseFull(list)
  refuseLabel(list, values.label)
  const variable: Variable = {
    ...given(values),
    id: unusedId(list, newId),
    type: values.type,
    label: values.label,
    value: values.value,
    order: values.order ?? nextOrder(list),
    changedAt: nextWatermark(variables),
  }
  return { variable, variables: { watermark, list: [...list, variable] } }
}

/** Works on deleted ones too. */
export function updateVariable(variables: Variables, id: string, values: VariableValues, { now }: Moment): Changed {
  const before = find(variables, id)
  refuseType(before, values.type)
  if (values.label !== undefined) refuseLabel(variables.list, values.label, id)
  return replaced(variables, { ...before, ...given(values), updatedAt: now })
}

/** Deleting again refreshes the date. */
export function deleteVariable(variables: Variables, id: string, { now }: Moment): Changed {
  return replaced(variables, { ...find(variables, id), deletedAt: now })
}

/** The limit and the label are judged as for a new variable. */
export function restoreVariable(variables: Variables, id: string, values: VariableValues, { now }: Moment): Changed {
  const { deletedAt, ...before } = find(variables, id)
  if (deletedAt !== undefined) refuseFull(variables.list)
  refuseType(before, values.type)
  refuseLabel(variables.list, values.label ?? before.label, id)
  return replaced(variables, { ...before, ...given(values), updatedAt: now })
}

function replaced(variables: Variables, changed: Variable): Changed {
  const { watermark, list } = variables
  const variable = { ...changed, changedAt: nextWatermark(variables) }
  return { variable, variables: { watermark, list: list.map((one) => (one.id === variable.id ? variable : one)) } }
}

/** The change as one write. */
export const written = ({ variables, variable }: Changed): Changed => ({
  variable,
  variables: { ...variables, watermark: nextWatermark(variables) },
})

const given = <T extends object>(values: T): T =>
  // The cast: only members that are undefined are left out.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

/** The value of each active variable by its id. */
export function valuesOf({ list }: Pick<Variables, 'list'>): (id: string) => string | undefined {
  const values = new Map(list.filter(isActive).map(({ id, value }) => [id, value]))
  return (id) => values.get(id)
}

const isActive = ({ deletedAt }: Variable) => deletedAt === undefined

function find({ list }: Variables, id: string): Variable {
  const found = list.find((one) => one.id === id)
  if (!found) throw new ApiError('variable_not_found', 'There is no such variable.', 404)
  return found
}

function refuseFull(list: readonly Variable[]): void {
  if (list.filter(isActive).length < limits.active) return
  throw new ApiError('invalid_variable_limit_reached', `There can be ${limits.active} variables at most.`, 400)
}

function refuseLabel(list: readonly Variable[], label: string, id?: string): void {
  if (!isName(label)) throw badLabel()
  const wanted = label.toLowerCase()
  if (!list.some((one) => one.id !== id && isActive(one) && one.label.toLowerCase() === wanted)) return
  throw new ApiError('duplicated_label', 'Another variable has this label.', 400)
}

const isSize = (type: string) => sizeTypes.some((one) => one === type)

function refuseType(before: Variable, type: string | undefined): void {
  if (type === undefined || type === before.type) return
  if (isSize(type) && isSize(before.type)) return
  throw new ApiError('type_mismatch', 'The type of a variable cannot be changed to this one.', 400)
}

const nextOrder = (list: readonly Variable[]) => 1 + Math.max(0, ...list.filter(isActive).map(({ order }) => order))

function unusedId(list: readonly Variable[], newId: () => string): string {
  const taken = new Set(list.map(({ id }) => id))
  let id = newId()
  while (taken.has(id)) id = newId()
  return id
}

/** `e-gv-` and 7 hexadecimal digits. */
export function randomId(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return `e-gv-${number.toString(16).padStart(8, '0').slice(1)}`
}

// ---------------------------------------------------------------- operations

export interface OperationResult {
  readonly type: 'create' | 'update' | 'delete' | 'restore'
  readonly variable: Variable
  /** What the client called a new variable. */
  readonly tempId?: string
}

/** Refusals by what the client called the variable, under the code of the first class that occurs. */
export interface BatchFailure {
  readonly code: string
  readonly errors: ReadonlyMap<string, ApiError>
}

export type BatchOutcome =
  | { readonly variables: Variables; readonly results: readonly OperationResult[] }
  | { readonly failure: BatchFailure }

type Operation = { readonly [name: string]: unknown }

/** All or nothing. Later operations see what earlier ones did; one that fails has done nothing. */
export function runOperations(stored: Variables, operations: readonly Operation[], moment: Moment): BatchOutcome {
  const results: OperationResult[] = []
  const errors = new Map<string, ApiError>()
  let variables = stored
  for (const [index, operation] of operations.entries()) {
    try {
      const result = runOperation(variables, operation, moment)
      variables = result.variables
      results.push(result)
    } catch (error) {
      if (!isApiError(error)) throw error
      errors.set(clientsName(operation) || `operation_${index}`, error)
    }
  }
  if (errors.size > 0) return { failure: firstClass(errors) }
  return { results, variables: { ...variables, watermark: nextWatermark(stored) } }
}

/**
 * Interface: a watermark tells what its sender has seen. Nothing may be changed that somebody else changed since.
 */
export function refuseStale({ watermark, list }: Variables, operations: readonly Operation[], known: number): void {
  const touched = new Set(operations.filter(({ type }) => type !== 'create').map(({ id }) => id))
  if (!list.some(({ id, changedAt }) => changedAt > known && touched.has(id))) return
  throw new ApiError('watermark_conflict', 'A variable was changed in the meantime.', 409, { watermark })
}

function runOperation(variables: Variables, operation: Operation, moment: Moment): Changed & OperationResult {
  const id = typeof operation.id === 'string' ? operation.id : ''
  switch (operation.type) {
    case 'create': {
      const { type, label, value, ...rest } = operationValues(operation.variable)
      if (type === undefined || label === undefined || value === undefined)
        throw failed('it needs type, label and value')
      // Interface: only variables that a batch made know when.
      const dates = { createdAt: moment.now, updatedAt: moment.now }
      const changed = createVariable(variables, { ...rest, type, label, value, ...dates }, moment)
      return { type: 'create', tempId: clientsName(operation), ...changed }
    }
    case 'update':
      return { type: 'update', ...updateVariable(variables, id, operationValues(operation.variable), moment) }
    case 'delete':
      return { type: 'delete', ...deleteVariable(variables, id, moment) }
    case 'restore': {
      // Interface: `type` names the operation here, so the kind of value stays.
      const { label, value } = operation
      return { type: 'restore', ...restoreVariable(variables, id, operationValues({ label, value }), moment) }
    }
    default:
      throw failed('this operation is not built')
  }
}

/** What the client called the variable of an operation. */
function clientsName({ type, id, variable }: Operation): string {
  const name = type === 'create' ? (variable as { id?: unknown } | null | undefined)?.id : id
  return typeof name === 'string' ? name : ''
}

const failed = (why: string) => new ApiError('batch_operation_failed', `The operation failed: ${why}.`, 400)

function operationValues(sent: unknown): VariableValues {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw failed('it has no variable')
  const { type, label, value, order, sync_to_v3: syncToV3 } = sent as Operation
  if (type !== undefined && !variableTypes.some((one) => one === type)) throw failed('the type is unknown')
  if (order !== undefined && !(Number.isSafeInteger(order) && Number(order) >= 0))
    throw failed('the order is no number')
  if (syncToV3 !== undefined && typeof syncToV3 !== 'boolean') throw failed('sync_to_v3 is not true or false')
  const values = { label: operationText('label', label), value: operationText('value', value) }
  if (values.value !== undefined && !isVariableValue(values.value)) throw failed('the value is not harmless')
  // The casts: both were looked at above.
  return { type: type as string | undefined, order: order as number | undefined, syncToV3, ...values }
}

function operationText(name: 'label' | 'value', sent: unknown): string | undefined {
  if (sent === undefined) return undefined
  const text = typeof sent === 'string' ? cleanText(sent) : ''
  if (!isOfLength(name, text)) throw failed(`the ${name} is empty or has more than ${limits[name]} characters`)
  return text
}

/** By rank. What is not among them belongs to the last class. */
const classes = [
  { code: 'batch_variables_limit_reached', of: 'invalid_variable_limit_reached' },
  { code: 'batch_duplicated_label', of: 'duplicated_label' },
  { code: 'batch_variables_not_found', of: 'variable_not_found' },
] as const

const classOf = (error: ApiError) => classes.find((one) => one.of === error.code)?.code ?? 'batch_operation_failed'

/** Interface: only the errors of one class are listed. */
function firstClass(errors: ReadonlyMap<string, ApiError>): BatchFailure {
  const found = new Set([...errors.values()].map(classOf))
  const code = classes.find((one) => found.has(one.code))?.code ?? 'batch_operation_failed'
  return { code, errors: new Map([...errors].filter(([, error]) => classOf(error) === code)) }
}
