/** Responses and response schemas of steps and progress. */

import { type Arg, bool, int, nullable, oneOf, str } from '../../../core/declare/args.ts'
import { either, emptyList, exactly, fields, mapOf } from '../../../core/declare/response-schema.ts'
import type { Settings } from '../../../site/settings.ts'
import { type Progress, progressOf, type Step, steps } from './model.ts'

export function stepView(step: Step, isDone: boolean, progress: Progress, { url, apiRoot }: Settings) {
  const { isMarked, isImmutable } = progressOf(progress, step.id)
  return {
    is_marked_completed: isMarked,
    is_immutable_completed: isImmutable,
    is_absolute_completed: isDone,
    config: {
      id: step.id,
      title: step.title,
      description: step.description,
      learn_more_text: 'Learn more',
      learn_more_url: `${apiRoot}/docs`,
      is_completion_immutable: step.isImmutable,
      cta_text: step.actionText,
      cta_url: `${url}/?edit=${step.editTarget}`,
      image_src: '',
      promotion_data: step.isPromoted ? { url: `${url}/?edit=plugins`, text: 'Upgrade', icon: 'default' } : null,
    },
  }
}

/** Interface: the checklist opens when the editor is opened for the second time, unless it was opened before. */
const autoOpenCount = 2

export function progressView(progress: Progress) {
  const { steps, lastOpened, isFirstClosed, isMinimized, editorOpenings } = progress
  const entries = Object.keys(steps).map((id): [string, object] => {
    const { isMarked, isImmutable } = progressOf(progress, id)
    return [id, { is_marked_completed: isMarked, is_immutable_completed: isImmutable }]
  })
  return {
    last_opened_timestamp: lastOpened,
    first_closed_checklist_in_editor: isFirstClosed,
    is_popup_minimized: isMinimized,
    // Interface: an empty map is sent as a list.
    steps: entries.length === 0 ? [] : Object.fromEntries(entries),
    should_open_in_editor: editorOpenings === autoOpenCount && lastOpened === null,
  }
}

// ---------------------------------------------------------------- schemas

export const dataSchema = <T>(inner: Arg<T>) => fields({ data: inner })

export const doneSchema = dataSchema(exactly('success'))

const progressMembers = {
  is_marked_completed: bool({ description: 'Whether somebody ticked the step.' }),
  is_immutable_completed: bool({ description: 'Whether the step was done once, where that is enough.' }),
}

export const stepSchema = fields(
  {
    ...progressMembers,
    is_absolute_completed: bool({ description: 'Whether the step is done now.' }),
    config: fields({
      id: oneOf(steps.map(({ id }) => id)),
      title: str(),
      description: str(),
      learn_more_text: str(),
      learn_more_url: str(),
      is_completion_immutable: bool({ description: 'Whether it is enough to have done the step once.' }),
      cta_text: str({ description: 'What to do.' }),
      cta_url: str({ description: 'Where to do it.' }),
      image_src: exactly(''),
      promotion_data: nullable(fields({ url: str(), text: str(), icon: exactly('default') })),
    }),
  },
  { title: 'Checklist step' },
)

export const progressSchema = fields({
  last_opened_timestamp: nullable(int({ description: 'When the checklist was last opened, in Unix time.' })),
  first_closed_checklist_in_editor: bool(),
  is_popup_minimized: bool(),
  steps: either(
    mapOf(fields(progressMembers), { description: 'What is kept of each step, by its name.' }),
    emptyList(),
  ),
  should_open_in_editor: bool({ description: 'True for the second time that the editor is opened.' }),
})
