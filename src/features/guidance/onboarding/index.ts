/** The onboarding of a new site; all administrators share one state. */
import { context, paging, search } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { controllerIndex, controllerIndexSchema } from '../../../core/describe/site-index.ts'
import { readSetting, settingOption, writeSetting } from '../../builder/settings/model.ts'
import { changeKit, type KitPart, readKit, storedPartOf } from '../../shared/kit.ts'
import { type Choices, noChoices, parseChoices, parseStoredChoices } from './choices.ts'
import { installEndpoints, isAddOnInstallable } from './install.ts'
import { applyReport, initialProgress, type Progress, parseProgress, parseReport } from './progress.ts'
import {
  choicesSchema,
  hadUnexpectedExit,
  installScreenSchema,
  progressSchema,
  progressView,
  reportedChoicesSchema,
  reportedProgressSchema,
} from './view.ts'

/** Events of this feature. */
export interface OnboardingEvents {
  'onboarding.changed': { readonly by: number }
  'onboarding.finished': { readonly by: number }
}

const administrators = can('manage_options')

// Clients also read and write these settings by key.
const progressPart: KitPart<Progress> = {
  option: settingOption('builder_onboarding_progress'),
  start: initialProgress,
  shape: { parse: parseProgress, format: progressView },
  formerly: 'onboarding_progress',
}
const choicesPart: KitPart<Choices> = {
  option: settingOption('builder_onboarding_choices'),
  start: noChoices,
  shape: { parse: parseStoredChoices, format: (choices) => ({ ...choices }) },
  formerly: 'onboarding_choices',
}
const finishedSetting = 'builder_onboarded'

const storedProgress = storedPartOf(progressPart)

/** Seconds since 1970 in site time. */
function localSeconds({ settings, app }: Pick<Context, 'settings' | 'app'>): number {
  return Math.floor(Date.parse(`${settings.time.now(app.clock).local}Z`) / 1000)
}

export const onboarding = feature('onboarding', 'builder/v1', [
  endpoint({
    path: '/onboarding',
    methods: ['GET'],
    // Interface: accepted without effect.
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
    summary: 'Read the progress of the onboarding',
    permission: administrators,
    responses: { 200: progressSchema },
    stored: storedProgress,
    handler: async ({ storage }) => {
      const [progress, finished] = await Promise.all([
        readKit(storage, progressPart),
        readSetting(storage, finishedSetting),
      ])
      const meta = { had_unexpected_exit: hadUnexpectedExit(progress, Boolean(finished)) }
      return { data: progressView(progress), meta }
    },
  }),
  endpoint({
    path: '/onboarding/user-progress',
    methods: EDITABLE,
    args: {},
    summary: 'Report a step of the onboarding',
    permission: administrators,
    responses: { 200: reportedProgressSchema },
    stored: storedProgress,
    takesAnyMembers: true,
    handler: async (context) => {
      const { storage, user, emit } = context
      const report = parseReport(context.sent)
      const now = localSeconds(context)
      const progress = await changeKit(storage, progressPart, (before) => {
        const next = applyReport(before, report, now)
        return { next, answer: next }
      })
      if (report.complete === true) await writeSetting(storage, finishedSetting, true)
      emit('onboarding.changed', { by: user.id })
      if (report.complete === true) emit('onboarding.finished', { by: user.id })
      return { data: 'success', progress: progressView(progress) }
    },
  }),
  endpoint({
    path: '/onboarding/user-choices',
    methods: ['GET'],
    args: {},
    summary: 'Read the stated purpose of the site',
    permission: administrators,
    responses: { 200: choicesSchema },
    stored: storedPartOf(choicesPart),
    handler: async ({ storage }) => ({ data: await readKit(storage, choicesPart) }),
  }),
  endpoint({
    path: '/onboarding/user-choices',
    methods: EDITABLE,
    args: {},
    summary: 'Describe the site',
    permission: administrators,
    responses: { 200: reportedChoicesSchema },
    stored: storedPartOf(choicesPart),
    takesAnyMembers: true,
    handler: async ({ storage, user, sent: body, emit }) => {
      const changes = parseChoices(body)
      const choices = await changeKit(storage, choicesPart, (before) => {
        const next = { ...before, ...changes }
        return { next, answer: next }
      })
      emit('onboarding.changed', { by: user.id })
      return { data: 'success', choices }
    },
  }),
  endpoint({
    path: '/onboarding/pro-install-screen',
    methods: ['GET'],
    args: {},
    summary: 'Read whether the installation of the add-on is pending',
    permission: administrators,
    responses: { 200: installScreenSchema },
    handler: async (context) => ({ data: { shouldShowProInstallScreen: await isAddOnInstallable(context) } }),
  }),
  ...installEndpoints,
])
