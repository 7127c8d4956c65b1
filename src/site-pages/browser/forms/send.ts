/**
 * Sends forms without leaving the page: it shows the response next to the form and keeps the entered values. Without this
 * script the browser loads the response as a page.
 */
import type { Steps } from './steps.ts'
import { words } from './words.ts'

interface Answer {
  /** The author's sentence for a form that was accepted, or the problem of one that was not. */
  readonly message?: string
  readonly redirect?: string
  readonly data?: { readonly params?: { readonly [field: string]: unknown } }
}

/** The idempotency key of a form: it stays the same for repeated attempts, so that the API accepts a submission once. */
const keys = new WeakMap<HTMLFormElement, string>()

export async function sendForm(form: HTMLFormElement, steps: Steps | undefined): Promise<void> {
  const key = keys.get(form) ?? crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
  keys.set(form, key)
  const buttons = form.querySelectorAll<HTMLButtonElement>('[type=submit]')
  for (const button of buttons) button.disabled = true
  try {
    const response = await fetch(location.href, {
      method: 'POST',
      headers: { accept: 'application/json', 'idempotency-key': key },
      body: new FormData(form),
    })
    const answer: Answer = await response.json()
    // After any response the next submission gets another key.
    keys.delete(form)
    if (response.ok) form.reset()
    if (answer.redirect) location.assign(answer.redirect)
    else show(form, steps, response.ok, answer)
  } catch {
    // After a lost connection the browser submits the form itself and shows its error page. The first attempt may have arrived;
    // the key then prevents a second submission.
    form.append(hiddenKey(key))
    form.submit()
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

function hiddenKey(key: string): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = 'submission_key'
  input.value = key
  return input
}

function show(form: HTMLFormElement, steps: Steps | undefined, isSent: boolean, { message = '', data }: Answer): void {
  const note = form.querySelector<HTMLElement>('.site-note') ?? form.appendChild(document.createElement('p'))
  note.className = 'site-note'
  note.setAttribute('role', isSent ? 'status' : 'alert')
  const problems = data?.params ?? {}
  const texts = Object.values(problems).map(String)
  note.textContent = isSent ? message || words('sent') : texts.join(' ') || message
  const wrong = markWrong(form, isSent ? {} : problems)
  if (isSent && steps) {
    steps.show()
    // The button that was pressed is in a step that is hidden now.
    note.tabIndex = -1
    note.focus()
  }
  if (wrong) steps?.show(wrong)
  wrong?.focus()
}

/** Returns the first field that is wrong. */
function markWrong(form: HTMLFormElement, problems: object): HTMLElement | null {
  for (const control of form.querySelectorAll<HTMLInputElement>('[name^="form_fields["]')) {
    const field = /\[([^\]]*)\]/.exec(control.name)?.[1] ?? ''
    if (field in problems) control.setAttribute('aria-invalid', 'true')
    else control.removeAttribute('aria-invalid')
  }
  return form.querySelector<HTMLElement>('[aria-invalid]')
}
