/** Shows one step of a form at a time. A step is left when its fields are right; the server judges the whole form again. */
import { words } from './words.ts'

export interface Steps {
  /** Whether the form can be sent. Goes on to the next step, or back to the first one with a wrong field, if it can not. */
  isComplete(): boolean
  /** Shows the step of a control; without one, the first step. */
  show(control?: Element | null): void
}

type Control = HTMLInputElement

/** Undefined for a form without steps. */
export function startSteps(form: HTMLFormElement): Steps | undefined {
  const steps = [...form.querySelectorAll<HTMLFieldSetElement>('.builder-form-step')]
  const send = form.querySelector<HTMLElement>('[type=submit]')
  const last = send?.closest<HTMLElement>('.builder-field-group')
  if (!send || !last || steps.length < 2) return undefined
  let at = 0
  const progress = document.createElement('p')
  progress.className = 'builder-form-progress'
  progress.setAttribute('role', 'status')
  steps[0]?.before(progress)
  const previous = buttonOf(send, 'builder-form-previous', 'button')
  // It has the colours of the button that sends, and the key Enter presses it.
  const next = buttonOf(send, 'builder-form-next', 'submit')
  const turn = document.createElement('div')
  turn.className = 'builder-field-group builder-column builder-form-turn'
  turn.append(previous, next)
  last.before(turn)
  // The browser would refuse a form for a wrong field of a hidden step, and could not say where it is.
  form.noValidate = true
  previous.addEventListener('click', () => go(at - 1))
  draw()

  function draw(): void {
    const step = steps[at]
    for (const each of steps) each.hidden = each !== step
    last?.toggleAttribute('hidden', at < steps.length - 1)
    previous.hidden = at === 0
    next.hidden = at === steps.length - 1
    previous.textContent = step?.dataset['previous'] || words('previous')
    next.textContent = step?.dataset['next'] || words('next')
    progress.textContent = words('step')
      .replace('{step}', `${at + 1}`)
      .replace('{steps}', `${steps.length}`)
  }

  /** Moves the focus to the name of the step, so that readers of the page begin there. */
  function go(to: number): void {
    at = to
    draw()
    const name = steps[at]?.querySelector<HTMLElement>('legend')
    if (name) name.tabIndex = -1
    const target = name ?? steps[at]?.querySelector<HTMLElement>('input:not([type=hidden],[tabindex]),select,textarea')
    target?.focus()
  }

  const wrongIn = (step: HTMLFieldSetElement | undefined): Control | undefined =>
    // The cast: the elements of a fieldset are controls.
    ([...(step?.elements ?? [])] as Control[]).find((control) => !control.checkValidity())

  return {
    isComplete() {
      const isLast = at === steps.length - 1
      const wrongAt = isLast ? steps.findIndex((step) => wrongIn(step)) : at
      const wrong = wrongIn(steps[wrongAt])
      if (wrong) {
        if (wrongAt !== at) go(wrongAt)
        wrong.reportValidity()
        return false
      }
      if (!isLast) go(at + 1)
      return isLast
    },
    show(control) {
      at = Math.max(0, control ? steps.findIndex((step) => step.contains(control)) : 0)
      draw()
    },
  }
}

function buttonOf(like: HTMLElement, name: string, type: 'button' | 'submit'): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = type
  button.className = `${like.className} ${name}`
  return button
}
