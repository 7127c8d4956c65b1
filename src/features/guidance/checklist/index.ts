/** The checklist of a new site, shared by all administrators: steps complete automatically or are marked by hand. */
import {
  type ArgValues,
  anything,
  bool,
  context,
  int,
  list,
  paging,
  required,
  search,
  str,
  unlisted,
} from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits, parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { controllerIndex, controllerIndexSchema } from '../../../core/describe/site-index.ts'
import { changeKit, readKit, storedPartOf } from '../../shared/kit.ts'
import { headerStep, type Progress, progressOf, progressPart, type Step, steps, withStep } from './model.ts'
import { dataSchema, doneSchema, progressSchema, progressView, stepSchema, stepView } from './view.ts'

/** Events of this feature. */
export interface ChecklistEvents {
  'checklist.changed': { readonly by: number }
}

const administrators = can('manage_options')
const done = { data: 'success' }

const positionArgs = { id: required(int({ description: 'The place of the step in the list, from 1.' })) }

const progressArgs = {
  first_closed_checklist_in_editor: unlisted(bool()),
  is_popup_minimized: unlisted(bool()),
  last_opened_timestamp: unlisted(anything()),
  e_editor_counter: unlisted(int({ minimum: 0 })),
}

const markArgs = {
  is_marked_completed: unlisted(bool()),
  is_immutable_completed: unlisted(bool()),
  // Interface: accepted without effect; each read determines the value.
  is_absolute_completed: unlisted(bool()),
}

type StepArgs = ArgValues<typeof markArgs> & { readonly id: string }

/** `asksForHeader`: false for a deployment that includes the add-on for headers. */
export function checklist({ asksForHeader }: { readonly asksForHeader: boolean }) {
  const shownSteps = steps.filter(({ id }) => asksForHeader || id !== headerStep)

  return feature('checklist', 'builder/v1', [
    endpoint({
      path: '/checklist',
      methods: ['GET'],
      // Interface: accepted without effect.
      args: { context: context(), ...paging(), search: search() },
      summary: 'Describe the routes of the checklist',
      permission: administrators,
      responses: { 200: controllerIndexSchema },
      handler: controllerIndex('builder/v1', '/checklist'),
    }),
    endpoint({
      path: `/checklist/${digits('id')}`,
      methods: ['GET'],
      args: positionArgs,
      summary: 'Read one step of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(stepSchema) },
      stored: storedPartOf(progressPart),
      handler: (context) => readStep(context, shownSteps),
    }),
    endpoint({
      path: '/checklist/steps',
      methods: ['GET'],
      args: {},
      summary: 'List the steps of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(list(stepSchema)) },
      stored: storedPartOf(progressPart),
      handler: async (context) => ({ data: await readSteps(context, shownSteps) }),
    }),
    endpoint({
      path: `/checklist/steps/${digits('id')}`,
      methods: ['GET'],
      args: positionArgs,
      summary: 'Read one step of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(stepSchema) },
      stored: storedPartOf(progressPart),
      handler: (context) => readStep(context, shownSteps),
    }),
    endpoint({
      path: `/checklist/steps/${parameter('id', '[\\w\\-\\_]+')}`,
      methods: EDITABLE,
      args: {
        id: required(
          str({
            description: 'The name of the step.',
            check: (name: string) => (shownSteps.some(({ id }) => id === name) ? undefined : 'There is no such step.'),
          }),
        ),
        ...markArgs,
      },
      summary: 'Mark a step of the checklist as done or not done',
      permission: administrators,
      responses: { 200: doneSchema },
      stored: storedPartOf(progressPart),
      handler: updateStep,
    }),
    endpoint({
      path: '/checklist/user-progress',
      methods: ['GET'],
      args: {},
      summary: 'Read the state of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(progressSchema) },
      stored: storedPartOf(progressPart),
      handler: async ({ storage }) => ({ data: progressView(await readKit(storage, progressPart)) }),
    }),
    endpoint({
      path: '/checklist/user-progress',
      methods: EDITABLE,
      args: progressArgs,
      summary: 'Report an action in the checklist',
      permission: administrators,
      responses: { 200: doneSchema },
      stored: storedPartOf(progressPart),
      handler: updateProgress,
    }),
  ])
}

// ---------------------------------------------------------------- handlers

/** Interface: the first read after an immutable step is done stores it as done. */
async function readSteps(context: Context, shownSteps: readonly Step[]) {
  const { storage, settings, incoming } = context
  const isDone: boolean[] = []
  for (const step of shownSteps) isDone.push(await step.isDone(context))
  const before = await readKit(storage, progressPart)
  const immutable = shownSteps.filter(({ isImmutable }, index) => isImmutable && isDone[index])
  const isNew = immutable.some(({ id }) => !progressOf(before, id).isImmutable)
  const progress = isNew && incoming.method !== 'HEAD' ? await saveImmutable(context, immutable) : before
  return shownSteps.map((step, index) => stepView(step, isDone[index] ?? false, progress, settings))
}

/** Choice: the id is the position of the step in the list, from 1. */
async function readStep(context: Context<{ readonly id: number }>, shownSteps: readonly Step[]) {
  const step = (await readSteps(context, shownSteps))[context.args.id - 1]
  if (!step) throw new ApiError('not-found', 'There is no such step.', 404)
  return { data: step }
}

function updateStep(context: Context<StepArgs>) {
  const { id, is_marked_completed: isMarked, is_immutable_completed: isImmutable } = context.args
  const changes = {
    ...(isMarked === undefined ? {} : { isMarked }),
    ...(isImmutable === undefined ? {} : { isImmutable }),
  }
  return changeProgress(context, (progress) => withStep(progress, id, changes))
}

function updateProgress(context: Context<ArgValues<typeof progressArgs>>) {
  const { args, app } = context
  const { last_opened_timestamp: opened } = args
  return changeProgress(context, (progress) => ({
    ...progress,
    isFirstClosed: args.first_closed_checklist_in_editor ?? progress.isFirstClosed,
    isMinimized: args.is_popup_minimized ?? progress.isMinimized,
    editorOpenings: args.e_editor_counter ?? progress.editorOpenings,
    // Interface: the server uses its own time; only the truth of the value counts.
    ...(opened === undefined ? {} : { lastOpened: opened ? Math.floor(app.clock() / 1000) : null }),
  }))
}

type ChangeContext = Pick<Context, 'storage' | 'user' | 'emit'>

async function changeProgress({ storage, user, emit }: ChangeContext, change: (progress: Progress) => Progress) {
  await changeKit(storage, progressPart, (before) => ({ next: change(before), answer: null }))
  emit('checklist.changed', { by: user.id })
  return done
}

/** Stores completed immutable steps; returns the stored progress. */
async function saveImmutable({ storage }: Context, completed: readonly Step[]): Promise<Progress> {
  return changeKit(storage, progressPart, (before) => {
    const unsaved = completed.filter(({ id }) => !progressOf(before, id).isImmutable)
    if (unsaved.length === 0) return { answer: before }
    const save = (progress: Progress, { id }: Step) => withStep(progress, id, { isImmutable: true, isMarked: false })
    const next = unsaved.reduce(save, before)
    return { next, answer: next }
  })
}
