/** Steps and progress as they are sent. */
import type { Settings } from '../../core/settings.ts'
import { type Progress, progressOf, type Step } from './model.ts'

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
      cta_url: `${url}/?edit=${step.place}`,
      image_src: '',
      promotion_data: step.isPromoted ? { url: `${url}/?edit=plugins`, text: 'Upgrade', icon: 'default' } : null,
    },
  }
}

/** Interface: exactly the second time, as long as nobody has seen the checklist. */
const opensAt = 2

export function progressView(progress: Progress) {
  const { steps, lastOpened, isFirstClosed, isMinimized, editorOpenings } = progress
  const known = Object.keys(steps).map((id): [string, object] => {
    const { isMarked, isImmutable } = progressOf(progress, id)
    return [id, { is_marked_completed: isMarked, is_immutable_completed: isImmutable }]
  })
  return {
    last_opened_timestamp: lastOpened,
    first_closed_checklist_in_editor: isFirstClosed,
    is_popup_minimized: isMinimized,
    // Interface: a map without entries is sent as a list.
    steps: known.length === 0 ? [] : Object.fromEntries(known),
    should_open_in_editor: editorOpenings === opensAt && lastOpened === null,
  }
}
