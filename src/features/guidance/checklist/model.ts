/** The steps of the checklist, the checks whether each is done, and the stored progress. */

import type { Json, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { storedSetting } from '../../../site/setting-rules.ts'
import { colors, typography } from '../../builder/globals/model.ts'
import { settingOption } from '../../builder/settings/model.ts'
import { documentStatuses, editModeKey, isObject, templateTypeKey } from '../../shared/elements.ts'
import { type KitPart, readKit } from '../../shared/kit.ts'

export interface Step {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly actionText: string
  /** The page of the host on which the action is done. */
  readonly editTarget: string
  /** Stays done after it was done once. */
  readonly isImmutable: boolean
  readonly isPromoted: boolean
  readonly isDone: (context: StepContext) => boolean | Promise<boolean>
}

type StepContext = Pick<Context, 'storage' | 'settings'>

/** Interface: a deployment that includes the add-on for headers has no such step. */
export const headerStep = 'setup_header'

export const steps: readonly Step[] = [
  {
    id: 'add_logo',
    title: 'Add a logo',
    description: 'Show people whose site this is.',
    actionText: 'Open site identity',
    editTarget: 'site-logo',
    isImmutable: false,
    isPromoted: false,
    isDone: hasLogo,
  },
  {
    id: 'set_fonts_and_colors',
    title: 'Set fonts and colors',
    description: 'Choose them once, use them on every page.',
    actionText: 'Open design settings',
    editTarget: 'site-colors',
    isImmutable: false,
    isPromoted: false,
    isDone: ({ storage }) => hasFontsAndColors(storage),
  },
  {
    id: 'create_pages',
    title: 'Create three pages',
    description: 'Pages are what a site is made of.',
    actionText: 'Create a page',
    editTarget: 'new-page',
    isImmutable: true,
    isPromoted: false,
    isDone: ({ storage }) => hasPages(storage),
  },
  {
    id: headerStep,
    title: 'Set up a header',
    description: 'A header shows on every page.',
    actionText: 'Add a header',
    editTarget: 'header',
    isImmutable: false,
    isPromoted: true,
    isDone: ({ storage }) => hasHeader(storage),
  },
  {
    id: 'assign_homepage',
    title: 'Assign a homepage',
    description: 'Say which page people see first.',
    actionText: 'Choose the homepage',
    editTarget: 'homepage',
    isImmutable: false,
    isPromoted: false,
    isDone: ({ settings }) => settings.pageOnFront > 0,
  },
]

// ---------------------------------------------------------------- checks

/** The id of a medium. */
const logoOption = 'site_logo'

async function hasLogo({ storage }: StepContext): Promise<boolean> {
  const logo = storedSetting(logoOption, (await storage.options.read([logoOption]))[logoOption])
  if (typeof logo !== 'number' || logo <= 0) return false
  const [medium] = await storage.posts.read([logo])
  return medium?.type === 'attachment'
}

async function hasFontsAndColors(storage: Storage): Promise<boolean> {
  const [colorList, fontList] = await Promise.all([readKit(storage, colors.part), readKit(storage, typography.part)])
  return colorList.custom.length > 0 && fontList.custom.length > 0
}

const requiredPages = 3
const windowSize = 200

/** Reads the newest pages first, because those of a new site were made with the builder. */
async function hasPages(storage: Storage): Promise<boolean> {
  let count = 0
  for (let offset = 0; ; offset += windowSize) {
    const ids = await idsOf(storage, 'page', offset)
    const entries = await storage.meta.read('post', ids, [editModeKey])
    count += entries.filter(({ value }) => value === 'builder').length
    if (count >= requiredPages) return true
    if (ids.length < windowSize) return false
  }
}

const conditionsKey = '_builder_conditions'

async function hasHeader(storage: Storage): Promise<boolean> {
  for (let offset = 0; ; offset += windowSize) {
    const ids = await idsOf(storage, 'builder_library', offset)
    const entries = await storage.meta.read('post', ids, [templateTypeKey, conditionsKey])
    const headers = new Set(
      entries.filter(({ key, value }) => key === templateTypeKey && value === 'header').map(({ id }) => id),
    )
    if (entries.some(({ id, key, value }) => key === conditionsKey && headers.has(id) && !isEmpty(value))) return true
    if (ids.length < windowSize) return false
  }
}

const isEmpty = (value: Json) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

async function idsOf(storage: Storage, type: string, offset: number): Promise<number[]> {
  const order = { by: 'id', descending: true } as const
  const query = { types: [type], statuses: documentStatuses, order, offset, limit: windowSize }
  const { idsPage } = await storage.posts.query(query)
  return idsPage.map(({ id }) => id)
}

// ---------------------------------------------------------------- stored progress

interface StepProgress {
  /** Marked as completed by a user. */
  readonly isMarked: boolean
  /** Whether the site has stored that the step was done; only steps that stay done have it. */
  readonly isImmutable: boolean
}

export interface Progress {
  /** By the id of the step; steps without stored progress are absent. */
  readonly steps: { readonly [id: string]: StepProgress }
  /** Unix time. */
  readonly lastOpened: number | null
  readonly isFirstClosed: boolean
  readonly isMinimized: boolean
  /** How often the editor was opened. */
  readonly editorOpenings: number
}

const initialProgress: Progress = {
  steps: {},
  lastOpened: null,
  isFirstClosed: false,
  isMinimized: false,
  editorOpenings: 0,
}

/** Clients also read and write it by key, in the words of the routes. */
export const progressPart: KitPart<Progress> = {
  option: settingOption('builder_checklist'),
  start: initialProgress,
  shape: { parse: parseProgress, format: formatProgress },
  formerly: 'builder_checklist',
}

function parseProgress(stored: Json): Progress {
  if (!isObject(stored)) return initialProgress
  const { last_opened_timestamp: lastOpened, e_editor_counter: openings, steps } = stored
  return {
    steps: isObject(steps) ? parseSteps(steps) : {},
    lastOpened: typeof lastOpened === 'number' ? Math.floor(lastOpened) : null,
    isFirstClosed: stored['first_closed_checklist_in_editor'] === true,
    isMinimized: stored['is_popup_minimized'] === true,
    editorOpenings: Number.isSafeInteger(openings) ? Number(openings) : 0,
  }
}

/** Steps of other versions are kept as well. */
const maxStoredSteps = 50

function parseSteps(stored: { readonly [id: string]: unknown }): Progress['steps'] {
  const entries = Object.entries(stored).slice(0, maxStoredSteps)
  return Object.fromEntries(
    entries.flatMap(([id, step]): [string, StepProgress][] =>
      isObject(step)
        ? [
            [
              id,
              { isMarked: step['is_marked_completed'] === true, isImmutable: step['is_immutable_completed'] === true },
            ],
          ]
        : [],
    ),
  )
}

function formatProgress({ steps, lastOpened, isFirstClosed, isMinimized, editorOpenings }: Progress): Json {
  return {
    last_opened_timestamp: lastOpened,
    first_closed_checklist_in_editor: isFirstClosed,
    is_popup_minimized: isMinimized,
    e_editor_counter: editorOpenings,
    steps: Object.fromEntries(
      Object.entries(steps).map(([id, { isMarked, isImmutable }]) => [
        id,
        { is_marked_completed: isMarked, is_immutable_completed: isImmutable },
      ]),
    ),
  }
}

const untouched: StepProgress = { isMarked: false, isImmutable: false }

export const progressOf = ({ steps: stored }: Progress, id: string): StepProgress =>
  Object.hasOwn(stored, id) ? (stored[id] ?? untouched) : untouched

export function withStep(progress: Progress, id: string, changes: Partial<StepProgress>): Progress {
  return { ...progress, steps: { ...progress.steps, [id]: { ...progressOf(progress, id), ...changes } } }
}
