/** Forms: the answer is shown in their place, and what was written stays. Without this script the page loads anew. */

export function startForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.builder-form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form)
    })
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')
  if (button) button.disabled = true
  try {
    const response = await fetch(location.href, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new FormData(form),
    })
    const texts = response.ok ? [] : await problemsOf(response)
    if (response.ok) form.reset()
    show(form, response.ok, texts)
  } catch {
    // The plain way, which shows the browser's own page for a lost connection.
    form.submit()
  } finally {
    if (button) button.disabled = false
  }
}

async function problemsOf(response: Response): Promise<string[]> {
  const { message, data } = await response.json()
  const params = Object.values(data?.params ?? {}).map(String)
  return params.length > 0 ? params : [String(message)]
}

function show(form: HTMLFormElement, isSent: boolean, problems: readonly string[]): void {
  const note = form.querySelector<HTMLElement>('.site-note') ?? form.appendChild(document.createElement('p'))
  note.className = 'site-note'
  note.setAttribute('role', isSent ? 'status' : 'alert')
  const { sent = '' } = document.documentElement.dataset
  note.textContent = isSent ? sent : problems.join(' ')
}
