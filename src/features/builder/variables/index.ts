/** Variables of the design: named colors, fonts and sizes that documents refer to. */

import { required } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import type { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { result } from '../../../core/declare/result.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { changeKit, readKit } from '../../shared/kit/model.ts'
import { id, label, operations, order, type, value, watermark } from './args.ts'
import {
  type BatchFailure,
  type BatchOutcome,
  type Changed,
  cleanText,
  createVariable,
  deleteVariable,
  type Moment,
  type OperationResult,
  randomId,
  refuseStale,
  restoreVariable,
  runOperations,
  updateVariable,
  type Variable,
  type Variables,
  variablesPart,
  written,
} from './model.ts'
import {
  batchFailureForm,
  batchForm,
  changedForm,
  identifiedView,
  listForm,
  listView,
  resultView,
  success,
} from './view.ts'

interface VariableEvent {
  readonly variable: Variable
  readonly watermark: number
}

/** What it tells listeners. */
export interface VariablesEvents {
  'variable.created': VariableEvent
  'variable.updated': VariableEvent
  'variable.deleted': VariableEvent
  'variable.restored': VariableEvent
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends VariablesEvents {}
}

const mayRead = can('edit_posts')
const mayWrite = can('manage_options')

export const variables = feature('variables', 'builder/v1', [
  endpoint({
    path: '/variables/list',
    methods: ['GET'],
    args: {},
    summary: 'List all variables, deleted ones too',
    permission: mayRead,
    responses: { 200: listForm },
    handler: ({ storage }) => andThen(readKit(storage, variablesPart), listView),
  }),
  endpoint({
    path: '/variables/create',
    methods: ['POST'],
    args: { type: required(type()), label: required(label()), value: required(value()) },
    summary: 'Create a variable',
    permission: mayWrite,
    responses: { 201: changedForm },
    handler: (context) => {
      const { args } = context
      const values = { type: args.type, label: cleanText(args.label), value: cleanText(args.value) }
      const changed = change(context, 'create', (stored, moment) => createVariable(stored, values, moment))
      return andThen(changed, (body) => result(body, { status: 201 }))
    },
  }),
  endpoint({
    path: '/variables/update',
    methods: EDITABLE,
    args: { id: required(id()), label: required(label()), value: required(value()), order: order(), type: type() },
    summary: 'Change a variable, a deleted one too',
    permission: mayWrite,
    responses: { 200: changedForm },
    handler: (context) => {
      const { args } = context
      const values = { ...texts(args), type: args.type, order: args.order }
      return change(context, 'update', (stored, moment) => updateVariable(stored, cleanText(args.id), values, moment))
    },
  }),
  endpoint({
    path: '/variables/delete',
    methods: EDITABLE,
    args: { id: required(id()) },
    summary: 'Delete a variable; it can be restored',
    permission: mayWrite,
    responses: { 200: changedForm },
    handler: (context) =>
      change(context, 'delete', (stored, moment) => deleteVariable(stored, cleanText(context.args.id), moment)),
  }),
  endpoint({
    path: '/variables/restore',
    methods: EDITABLE,
    args: { id: required(id()), label: label(), value: value(), type: type() },
    summary: 'Restore a deleted variable',
    permission: mayWrite,
    responses: { 200: changedForm },
    handler: (context) => {
      const { args } = context
      const values = { ...texts(args), type: args.type }
      return change(context, 'restore', (stored, moment) => restoreVariable(stored, cleanText(args.id), values, moment))
    },
  }),
  endpoint({
    path: '/variables/batch',
    methods: ['POST'],
    args: { watermark: watermark(), operations: operations() },
    summary: 'Make several changes, all or none',
    permission: mayWrite,
    responses: { 200: batchForm, 400: batchFailureForm },
    handler: (context) => {
      const { args, storage, app } = context
      // The cast: the check of the argument lets only objects with a type pass.
      const asked = args.operations as readonly { readonly [name: string]: unknown }[]
      const outcome = changeKit<Variables, BatchOutcome>(storage, variablesPart, (stored) => {
        refuseStale(stored, asked, args.watermark)
        const made = runOperations(stored, asked, momentOf(app))
        return 'failure' in made ? { answer: made } : { next: made.variables, answer: made }
      })
      return andThen(outcome, (made) => {
        if ('failure' in made) return result(failureView(made.failure), { status: 400 })
        const { watermark } = made.variables
        for (const { type, variable } of made.results) tell(context, type, { variable, watermark })
        return success({ success: true, watermark, results: made.results.map(resultView) })
      })
    },
  }),
])

// ---------------------------------------------------------------- one change

function change(
  { storage, app, emit }: Pick<Context, 'storage' | 'app' | 'emit'>,
  kind: OperationResult['type'],
  make: (stored: Variables, moment: Moment) => Changed,
): MaybePromise<unknown> {
  const changed = changeKit(storage, variablesPart, (stored) => {
    const answer = written(make(stored, momentOf(app)))
    return { next: answer.variables, answer }
  })
  return andThen(changed, ({ variable, variables: { watermark } }) => {
    tell({ emit }, kind, { variable, watermark })
    return success({ variable: identifiedView(variable), watermark })
  })
}

const eventOf = {
  create: 'variable.created',
  update: 'variable.updated',
  delete: 'variable.deleted',
  restore: 'variable.restored',
} as const

const tell = ({ emit }: Pick<Context, 'emit'>, kind: OperationResult['type'], payload: VariableEvent) =>
  emit(eventOf[kind], payload)

const momentOf = ({ clock }: Context['app']): Moment => ({
  now: new Date(clock()).toISOString().slice(0, 19).replace('T', ' '),
  newId: randomId,
})

const texts = ({ label, value }: { readonly label?: string; readonly value?: string }) => ({
  label: label === undefined ? undefined : cleanText(label),
  value: value === undefined ? undefined : cleanText(value),
})

/** Interface: a body of its own. What clients call their variables never meets a prototype: entries make own members. */
function failureView({ code, errors }: BatchFailure) {
  const entryOf = ({ status, message }: ApiError) => ({ status, message })
  return {
    success: false,
    code,
    message: 'None of the changes was made.',
    data: Object.fromEntries([...errors].map(([name, error]) => [name, entryOf(error)])),
  }
}
