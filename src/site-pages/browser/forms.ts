/** Shows the response to a form in its place, and keeps the entered values. Without this script the browser loads a page. */

export function startForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.builder-form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form)
    })
  }
}

interface Answer {
  /** The author's sentence for a form that was accepted, or the problem of one that was not. */
  readonly message?: string
  readonly redirect?: string
  readonly data?: { readonly params?: { readonly [field: string]: unknown } }
}

/** The same key for each attempt to send the entered values, so that they are accepted once. */
const keys = new WeakMap<HTMLFormElement, string>()

async function send(form: HTMLFormElement): Promise<void> {
  const key = keys.get(form) ?? crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
  keys.set(form, key)
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')
  if (button) button.disabled = true
  try {
    const response = await fetch(location.href, {
      method: 'POST',
      headers: { accept: 'application/json', 'idempotency-key': key },
      body: new FormData(form),
    })
    const answer: Answer = await response.json()
    // After any answer the next request is another form.
    keys.delete(form)
    if (response.ok) form.reset()
    if (answer.redirect) location.assign(answer.redirect)
    else show(form, response.ok, answer)
  } catch {
    // The plain way, which shows the browser's own page for a lost connection. The form may have arrived all the same.
    form.append(hiddenKey(key))
    form.submit()
  } finally {
    if (button) button.disabled = false
  }
}

function hiddenKey(key: string): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = 'submission_key'
  input.value = key
  return input
}

function show(form: HTMLFormElement, isSent: boolean, { message = '', data }: Answer): void {
  const note = form.querySelector<HTMLElement>('.site-note') ?? form.appendChild(document.createElement('p'))
  note.className = 'site-note'
  note.setAttribute('role', isSent ? 'status' : 'alert')
  const { sent = '' } = document.documentElement.dataset
  const problems = data?.params ?? {}
  const texts = Object.values(problems).map(String)
  note.textContent = isSent ? message || sent : texts.join(' ') || message
  for (const control of form.querySelectorAll<HTMLInputElement>('[name^="form_fields["]')) {
    const field = /\[([^\]]*)\]/.exec(control.name)?.[1] ?? ''
    if (!isSent && field in problems) control.setAttribute('aria-invalid', 'true')
    else control.removeAttribute('aria-invalid')
  }
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
}
