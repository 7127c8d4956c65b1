/** The first steps of a new site, one state for all who run it. */
import { context, paging, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { controllerIndex, controllerIndexSchema } from '../../../core/describe/site-index.ts'
import { all, andThen } from '../../../core/runtime/maybe-promise.ts'
import { readSetting, writeSetting } from '../../builder/settings/model.ts'
import { changeKit, type KitPart, readKit } from '../../shared/kit/model.ts'
import { type Choices, noChoices, parseChoices } from './choices.ts'
import { installEndpoints, isAddOnInstallable } from './install.ts'
import { applyReport, initialProgress, type Progress, parseReport } from './progress.ts'
import {
  choicesSchema,
  hadUnexpectedExit,
  installScreenSchema,
  progressSchema,
  progressView,
  reportedChoicesSchema,
  reportedProgressSchema,
} from './view.ts'

/** What it tells listeners. */
export interface OnboardingEvents {
  'onboarding.changed': { readonly by: number }
  'onboarding.finished': { readonly by: number }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends OnboardingEvents {}
}

const administrators = can('manage_options')

/** Kept apart from the settings by key: a client that wrote there what it likes would break the steps of all others. */
const progressPart: KitPart<Progress> = { option: 'onboarding_progress', start: initialProgress }
const choicesPart: KitPart<Choices> = { option: 'onboarding_choices', start: noChoices }

/** A setting that clients read by this key. */
const finishedSetting = 'builder_onboarded'

/** Seconds on the site's own clock. */
function localSeconds({ settings, app }: Pick<Context, 'settings' | 'app'>): number {
  return Math.floor(Date.parse(`${settings.time.now(app.clock).local}Z`) / 1000)
}

export const onboarding = feature('onboarding', 'builder/v1', [
  endpoint({
    path: '/onboarding',
    methods: ['GET'],
    // Interface: taken, and without any effect.
    args: { context: context(), ...paging(), search: search() },
    summary: 'Describe the routes of the onboarding',
    permission: administrators,
    responses: { 200: controllerIndexSchema },
    handler: controllerIndex('builder/v1', '/onboarding'),
  }),
  endpoint({
    path: '/onboarding/user-progress',
    methods: ['GET'],
    args: {},
    summary: 'Read how far the onboarding has come',
    permission: administrators,
    responses: { 200: progressSchema },
    handler: ({ storage }) =>
      andThen(all([readKit(storage, progressPart), readSetting(storage, finishedSetting)]), ([progress, finished]) => ({
        data: progressView(progress),
        meta: { had_unexpected_exit: hadUnexpectedExit(progress, Boolean(finished)) },
      })),
  }),
  endpoint({
    path: '/onboarding/user-progress',
    methods: EDITABLE,
    args: {},
    summary: 'Report a step of the onboarding',
    permission: administrators,
    responses: { 200: reportedProgressSchema },
    handler: (context) => {
      const { storage, user, emit } = context
      const report = parseReport(context.sent)
      const now = localSeconds(context)
      const change = changeKit(storage, progressPart, (before) => {
        const next = applyReport(before, report, now)
        return { next, answer: next }
      })
      const finish = report.complete === true ? writeSetting(storage, finishedSetting, true) : undefined
      return andThen(all([change, finish]), ([progress]) => {
        emit('onboarding.changed', { by: user.id })
        if (report.complete === true) emit('onboarding.finished', { by: user.id })
        return { data: 'success', progress: progressView(progress) }
      })
    },
  }),
  endpoint({
    path: '/onboarding/user-choices',
    methods: ['GET'],
    args: {},
    summary: 'Read what was said about the site',
    permission: administrators,
    responses: { 200: choicesSchema },
    handler: ({ storage }) => andThen(readKit(storage, choicesPart), (data) => ({ data })),
  }),
  endpoint({
    path: '/onboarding/user-choices',
    methods: EDITABLE,
    args: {},
    summary: 'Say something about the site',
    permission: administrators,
    responses: { 200: reportedChoicesSchema },
    handler: ({ storage, user, sent, emit }) => {
      const chosen = parseChoices(sent)
      const change = changeKit(storage, choicesPart, (before) => {
        const next = { ...before, ...chosen }
        return { next, answer: next }
      })
      return andThen(change, (choices) => {
        emit('onboarding.changed', { by: user.id })
        return { data: 'success', choices }
      })
    },
  }),
  endpoint({
    path: '/onboarding/pro-install-screen',
    methods: ['GET'],
    args: {},
    summary: 'Read whether the add-on waits to be installed',
    permission: administrators,
    responses: { 200: installScreenSchema },
    handler: (context) =>
      andThen(isAddOnInstallable(context), (shouldShowProInstallScreen) => ({ data: { shouldShowProInstallScreen } })),
  }),
  ...installEndpoints,
])
