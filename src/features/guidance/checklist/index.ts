/** The checklist of a new site: steps that complete by themselves, or that somebody ticks. One for all administrators. */
import {
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
import { andThen, sequence } from '../../../core/runtime/maybe-promise.ts'
import { changeKit, readKit } from '../../shared/kit/model.ts'
import { headerStep, type Progress, progressOf, progressPart, type Step, steps, withStep } from './model.ts'
import { dataSchema, doneSchema, progressSchema, progressView, stepSchema, stepView } from './view.ts'

/** What it tells listeners. */
export interface ChecklistEvents {
  'checklist.changed': { readonly by: number }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends ChecklistEvents {}
}

const administrators = can('manage_options')
const done = { data: 'success' }

/** `asksForHeader`: false where the add-on that makes headers belongs to the deployment. */
export function checklist({ asksForHeader }: { readonly asksForHeader: boolean }) {
  const shownSteps = steps.filter(({ id }) => asksForHeader || id !== headerStep)

  /** Interface: what is done for good is kept as such by whoever sees it first. */
  const readSteps = async (context: Context) => {
    const { storage, settings, incoming } = context
    const isDone = await sequence(shownSteps, (step) => step.isDone(context))
    const before = await readKit(storage, progressPart)
    const lasting = shownSteps.filter(({ isImmutable }, index) => isImmutable && isDone[index])
    const isNew = lasting.some(({ id }) => !progressOf(before, id).isImmutable)
    const progress = isNew && incoming.method !== 'HEAD' ? await saveImmutable(context, lasting) : before
    return shownSteps.map((step, index) => stepView(step, isDone[index] ?? false, progress, settings))
  }

  /** Choice: a step by its place in the list, from 1. */
  const readStep = async (context: Context<{ readonly id: number }>) => {
    const step = (await readSteps(context))[context.args.id - 1]
    if (!step) throw new ApiError('not-found', 'There is no such step.', 404)
    return { data: step }
  }

  const place = { id: required(int({ description: 'The place of the step in the list, from 1.' })) }

  return feature('checklist', 'builder/v1', [
    endpoint({
      path: '/checklist',
      methods: ['GET'],
      // Interface: taken, and without any effect.
      args: { context: context(), ...paging(), search: search() },
      summary: 'Describe the routes of the checklist',
      permission: administrators,
      responses: { 200: controllerIndexSchema },
      handler: controllerIndex('builder/v1', '/checklist'),
    }),
    endpoint({
      path: `/checklist/${digits('id')}`,
      methods: ['GET'],
      args: place,
      summary: 'Read one step of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(stepSchema) },
      handler: readStep,
    }),
    endpoint({
      path: '/checklist/steps',
      methods: ['GET'],
      args: {},
      summary: 'List the steps of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(list(stepSchema)) },
      handler: async (context) => ({ data: await readSteps(context) }),
    }),
    endpoint({
      path: `/checklist/steps/${digits('id')}`,
      methods: ['GET'],
      args: place,
      summary: 'Read one step of the checklist',
      permission: administrators,
      responses: { 200: dataSchema(stepSchema) },
      handler: readStep,
    }),
    endpoint({
      path: `/checklist/steps/${parameter('id', '[\\w\\-\\_]+')}`,
      methods: EDITABLE,
      args: {
        id: required(
          str({
            description: 'The name of the step.',
            check: (sent: string) => (shownSteps.some(({ id }) => id === sent) ? undefined : 'There is no such step.'),
          }),
        ),
        is_marked_completed: unlisted(bool()),
        is_immutable_completed: unlisted(bool()),
        // Interface: taken, and found out anew with each read.
        is_absolute_completed: unlisted(bool()),
      },
      summary: 'Tick a step of the checklist, or take the tick away',
      permission: administrators,
      responses: { 200: doneSchema },
      handler: (context) => {
        const { args } = context
        const marked = args.is_marked_completed === undefined ? {} : { isMarked: args.is_marked_completed }
        const lasting = args.is_immutable_completed === undefined ? {} : { isImmutable: args.is_immutable_completed }
        return changeProgress(context, (progress) => withStep(progress, args.id, { ...marked, ...lasting }))
      },
    }),
    endpoint({
      path: '/checklist/user-progress',
      methods: ['GET'],
      args: {},
      summary: 'Read what is kept about the checklist',
      permission: administrators,
      responses: { 200: dataSchema(progressSchema) },
      handler: ({ storage }) =>
        andThen(readKit(storage, progressPart), (progress) => ({ data: progressView(progress) })),
    }),
    endpoint({
      path: '/checklist/user-progress',
      methods: EDITABLE,
      args: {
        first_closed_checklist_in_editor: unlisted(bool()),
        is_popup_minimized: unlisted(bool()),
        last_opened_timestamp: unlisted(anything()),
        e_editor_counter: unlisted(int({ minimum: 0 })),
      },
      summary: 'Report what was done with the checklist',
      permission: administrators,
      responses: { 200: doneSchema },
      handler: (context) => {
        const { args, app } = context
        const { last_opened_timestamp: opened } = args
        return changeProgress(context, (progress) => ({
          ...progress,
          isFirstClosed: args.first_closed_checklist_in_editor ?? progress.isFirstClosed,
          isMinimized: args.is_popup_minimized ?? progress.isMinimized,
          editorOpenings: args.e_editor_counter ?? progress.editorOpenings,
          // Interface: the time is the server's own, whatever was sent.
          ...(opened === undefined ? {} : { lastOpened: opened ? Math.floor(app.clock() / 1000) : null }),
        }))
      },
    }),
  ])
}

type ChangeContext = Pick<Context, 'storage' | 'user' | 'emit'>

function changeProgress({ storage, user, emit }: ChangeContext, next: (progress: Progress) => Progress) {
  const changed = changeKit(storage, progressPart, (before) => ({ next: next(before), answer: null }))
  return andThen(changed, () => {
    emit('checklist.changed', { by: user.id })
    return done
  })
}

const saveImmutable = ({ storage }: Context, lasting: readonly Step[]): Promise<Progress> =>
  Promise.resolve(
    changeKit(storage, progressPart, (before) => {
      const open = lasting.filter(({ id }) => !progressOf(before, id).isImmutable)
      const next = open.reduce(
        (progress, { id }) => withStep(progress, id, { isImmutable: true, isMarked: false }),
        before,
      )
      return open.length === 0 ? { answer: before } : { next, answer: next }
    }),
  )
