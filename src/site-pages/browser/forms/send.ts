/**
 * Sends forms without leaving the page: it shows the response next to the form and keeps the entered values. Without this
 * script the browser loads the response as a page.
 */
import { captchaToken, resetCaptcha } from './captcha.ts'
import { type Challenge, proofOf, solveFor, used } from './challenge.ts'
import type { Steps } from './steps.ts'
import { words } from './words.ts'

interface Answer {
  /** The author's sentence for a form that was accepted, or the problem of one that was not. */
  readonly message?: string
  readonly redirect?: string
  readonly data?: { readonly challenge?: Challenge; readonly params?: { readonly [field: string]: unknown } }
}

/** The idempotency key of a form: it stays the same for repeated attempts, so that the API accepts a submission once. */
const keys = new WeakMap<HTMLFormElement, string>()

export async function sendForm(form: HTMLFormElement, steps: Steps | undefined): Promise<void> {
  const key = keys.get(form) ?? crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
  keys.set(form, key)
  const buttons = form.querySelectorAll<HTMLButtonElement>('[type=submit]')
  for (const button of buttons) button.disabled = true
  try {
    let [response, answer] = await post(form, key)
    const challenge = answer.data?.challenge
    if (challenge) {
      say(form, 'status', words('challengeRuns'))
      solveFor(form, challenge)
      ;[response, answer] = await post(form, key)
    }
    // After any response the next submission gets another key.
    keys.delete(form)
    resetCaptcha(form)
    if (response.ok) {
      used(form)
      form.reset()
    }
    if (answer.redirect) location.assign(answer.redirect)
    else show(form, steps, response.ok, answer)
  } catch {
    // After a lost connection the browser submits the form itself and shows its error page. The first attempt may have arrived;
    // the key then prevents a second submission.
    form.append(hiddenInput(['submission_key', key]))
    form.submit()
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

async function post(form: HTMLFormElement, key: string): Promise<[Response, Answer]> {
  const [proof, token] = await Promise.all([proofOf(form), captchaToken(form)])
  const body = new FormData(form)
  for (const [name, value] of token ? [...proof, token] : proof) body.set(name, value)
  const headers = { accept: 'application/json', 'idempotency-key': key }
  const response = await fetch(location.href, { method: 'POST', headers, body })
  return [response, await response.json()]
}

export function hiddenInput([name, value]: readonly [name: string, value: string]): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = name
  input.value = value
  return input
}

function say(form: HTMLFormElement, role: 'status' | 'alert', text: string): HTMLElement {
  const note = form.querySelector<HTMLElement>('.site-note') ?? form.appendChild(document.createElement('p'))
  note.className = 'site-note'
  note.setAttribute('role', role)
  note.textContent = text
  return note
}

function show(form: HTMLFormElement, steps: Steps | undefined, isSent: boolean, { message = '', data }: Answer): void {
  const problems = data?.params ?? {}
  const texts = Object.values(problems).map(String)
  const note = say(form, isSent ? 'status' : 'alert', isSent ? message || words('sent') : texts.join(' ') || message)
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
