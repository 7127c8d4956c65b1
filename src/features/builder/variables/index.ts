/** Routes of design variables: named colors, fonts and sizes that documents refer to. */

import type { Storage } from '../../../contract/storage.ts'
import { required } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import type { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { result } from '../../../core/declare/result.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { changeKit, readKit, storedPartOf } from '../../shared/kit.ts'
import { success } from '../../shared/success.ts'
import { id, label, operations, order, type, value, watermark } from './args.ts'
import { type BatchFailure, type BatchOutcome, checkWatermark, type OperationResult, runOperations } from './batch.ts'
import { variablesFile } from './kit-file.ts'
import {
  type ChangeContext,
  cleanText,
  createVariable,
  deleteVariable,
  randomId,
  restoreVariable,
  updateVariable,
  type Variable,
  type VariableChange,
  type Variables,
  variablesPart,
  withNextWatermark,
} from './model.ts'
import {
  batchFailureSchema,
  batchSchema,
  changedSchema,
  identifiedView,
  listSchema,
  listView,
  resultView,
} from './view.ts'

interface VariableEvent {
  readonly variable: Variable
  readonly watermark: number
}

/** Events of variables. */
export interface VariablesEvents {
  'variable.created': VariableEvent
  'variable.updated': VariableEvent
  'variable.deleted': VariableEvent
  'variable.restored': VariableEvent
}

/** Clients read all variables at once, so these have one tag; whether there is the variable decides `*`. */
const storedVariables = storedPartOf(variablesPart)

async function storedVariable({
  args,
  storage,
}: {
  readonly args: { readonly id: string }
  readonly storage: Storage
}) {
  const variables = await readKit(storage, variablesPart)
  const id = cleanText(args.id)
  return storedState(variables, { exists: variables.list.some((variable) => variable.id === id) })
}

async function variableValues({ args, storage }: Parameters<typeof storedVariable>[0]) {
  const { list } = await readKit(storage, variablesPart)
  const found = list.find((variable) => variable.id === cleanText(args.id))
  return found ? { label: found.label, value: found.value, order: found.order, type: found.type } : {}
}

const mayRead = can('edit_posts')
const mayWrite = can('manage_options')

export const variables = feature(
  'variables',
  'builder/v1',
  [
    endpoint({
      path: '/variables/list',
      methods: ['GET'],
      args: {},
      summary: 'List all variables, including deleted ones',
      permission: mayRead,
      responses: { 200: listSchema },
      stored: storedVariables,
      handler: async ({ storage }) => listView(await readKit(storage, variablesPart)),
    }),
    endpoint({
      path: '/variables/create',
      methods: ['POST'],
      args: { type: required(type()), label: required(label()), value: required(value()) },
      summary: 'Create a variable',
      permission: mayWrite,
      responses: { 201: changedSchema },
      stored: storedVariables,
      handler: async (context) => {
        const { args } = context
        const values = { type: args.type, label: cleanText(args.label), value: cleanText(args.value) }
        const body = await changeVariable(context, 'create', (stored, change) => createVariable(stored, values, change))
        return result(body, { status: 201 })
      },
    }),
    endpoint({
      path: '/variables/update',
      methods: EDITABLE,
      args: { id: required(id()), label: required(label()), value: required(value()), order: order(), type: type() },
      summary: 'Change a variable, including a deleted one',
      permission: mayWrite,
      responses: { 200: changedSchema },
      stored: storedVariable,
      merges: { values: variableValues },
      handler: (context) => {
        const id = cleanText(context.args.id)
        const values = { ...cleanTexts(context.args), type: context.args.type, order: context.args.order }
        return changeVariable(context, 'update', (stored, change) => updateVariable(stored, id, values, change))
      },
    }),
    endpoint({
      path: '/variables/delete',
      methods: EDITABLE,
      args: { id: required(id()) },
      summary: 'Delete a variable, which can be restored',
      permission: mayWrite,
      responses: { 200: changedSchema },
      stored: storedVariable,
      handler: (context) => {
        const id = cleanText(context.args.id)
        return changeVariable(context, 'delete', (stored, change) => deleteVariable(stored, id, change))
      },
    }),
    endpoint({
      path: '/variables/restore',
      methods: EDITABLE,
      args: { id: required(id()), label: label(), value: value(), type: type() },
      summary: 'Restore a deleted variable',
      permission: mayWrite,
      responses: { 200: changedSchema },
      stored: storedVariable,
      handler: (context) => {
        const id = cleanText(context.args.id)
        const values = { ...cleanTexts(context.args), type: context.args.type }
        return changeVariable(context, 'restore', (stored, change) => restoreVariable(stored, id, values, change))
      },
    }),
    endpoint({
      path: '/variables/batch',
      methods: ['POST'],
      args: { watermark: watermark(), operations: operations() },
      summary: 'Make several changes in one transaction',
      permission: mayWrite,
      responses: { 200: batchSchema, 400: batchFailureSchema },
      stored: storedVariables,
      handler: runBatch,
    }),
  ],
  { isHistorical: true, persisted: { kitFiles: { 'global-variables.json': variablesFile } } },
)

const cleanTexts = ({ label, value }: { readonly label?: string; readonly value?: string }) => ({
  label: label === undefined ? undefined : cleanText(label),
  value: value === undefined ? undefined : cleanText(value),
})

const changeContextOf = ({ clock }: Context['app']): ChangeContext => ({
  now: new Date(clock()).toISOString().slice(0, 19).replace('T', ' '),
  newId: randomId,
})

// ---------------------------------------------------------------- one change

async function changeVariable(
  { storage, app, emit }: Pick<Context, 'storage' | 'app' | 'emit'>,
  type: OperationResult['type'],
  change: (stored: Variables, context: ChangeContext) => VariableChange,
) {
  const changed = await changeKit(storage, variablesPart, (stored) => {
    const answer = withNextWatermark(change(stored, changeContextOf(app)))
    return { next: answer.variables, answer }
  })
  const { variable, variables } = changed
  emit(eventNames[type], { variable, watermark: variables.watermark })
  return success({ variable: identifiedView(variable), watermark: variables.watermark })
}

const eventNames = {
  create: 'variable.created',
  update: 'variable.updated',
  delete: 'variable.deleted',
  restore: 'variable.restored',
} as const

// ---------------------------------------------------------------- batches

type BatchContext = Context<{ readonly watermark: number; readonly operations: readonly unknown[] }>

async function runBatch({ args, storage, app, emit }: BatchContext) {
  // The cast: the check of the argument accepts only objects with a type.
  const operations = args.operations as readonly { readonly [name: string]: unknown }[]
  const outcome = await changeKit<Variables, BatchOutcome>(storage, variablesPart, (stored) => {
    checkWatermark(stored, operations, args.watermark)
    const answer = runOperations(stored, operations, changeContextOf(app))
    return 'failure' in answer ? { answer } : { next: answer.variables, answer }
  })
  if ('failure' in outcome) return result(failureView(outcome.failure), { status: 400 })
  const { watermark } = outcome.variables
  for (const { type, variable } of outcome.results) emit(eventNames[type], { variable, watermark })
  return success({ success: true, watermark, results: outcome.results.map(resultView) })
}

/**
 * Interface: the body of a failed batch differs from other errors.
 * `Object.fromEntries` makes a client's id such as `__proto__` an own member.
 */
function failureView({ code, errors }: BatchFailure) {
  const entryOf = ({ status, message }: ApiError) => ({ status, message })
  return {
    success: false,
    code,
    message: 'None of the changes was made.',
    data: Object.fromEntries([...errors].map(([name, error]) => [name, entryOf(error)])),
  }
}
