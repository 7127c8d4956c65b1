/** Sign-in for the requests of the page. Login and password are held in memory only. */
import { element, findElement } from '../../browser/elements.ts'
import { basic, type Credentials } from './request.ts'

export interface SignInState {
  readonly credentials: () => Credentials | undefined
  /** Who sends the requests of the page, with a button to change it. */
  readonly describe: (isRead: boolean) => (Node | string)[]
}

export function createSignIn(base: string, onChange: () => void): SignInState {
  let credentials: Credentials | undefined
  const dialog = findElement<HTMLDialogElement>(document, '#sign-in')
  const form = findElement<HTMLFormElement>(dialog, 'form')
  const login = findElement<HTMLInputElement>(form, '[name=login]')
  const password = findElement<HTMLInputElement>(form, '[name=password]')
  const problem = findElement<HTMLElement>(form, '[role=status]')
  const opener = findElement<HTMLButtonElement>(document, '#signed-in')

  const open = () => {
    problem.textContent = ''
    dialog.showModal()
  }
  const set = (entered: Credentials | undefined) => {
    credentials = entered
    password.value = ''
    opener.textContent = entered ? `Sign out ${entered.login}` : 'Sign in'
    onChange()
  }
  const toggle = () => (credentials ? set(undefined) : open())

  opener.hidden = false
  opener.addEventListener('click', toggle)
  findElement(form, '[type=button]').addEventListener('click', () => dialog.close())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const entered = { login: login.value, password: password.value }
    problem.textContent = 'Signing in…'
    const refusal = await refusalOf(base, entered)
    problem.textContent = refusal ?? ''
    if (refusal !== undefined) return
    set(entered)
    dialog.close()
  })
  return {
    credentials: () => credentials,
    describe: (isRead) => {
      const change = element('button', { type: 'button', class: 'link' }, credentials ? 'Sign out' : 'Sign in')
      change.addEventListener('click', toggle)
      const sender = credentials ? `Sent as ${credentials.login}` : 'Sent as a visitor'
      return [`${sender}${isRead ? '' : '; it changes this site'}. `, change]
    },
  }
}

/** The error message for wrong credentials, which every route rejects; undefined for valid ones. */
async function refusalOf(base: string, entered: Credentials): Promise<string | undefined> {
  try {
    const headers = { Authorization: basic(entered) }
    const response = await fetch(`${base}/?_fields=name`, { headers, credentials: 'omit', cache: 'no-store' })
    if (response.ok) return undefined
    const { message } = (await response.json()) as { message?: string }
    return message ?? `The response was ${response.status}.`
  } catch {
    return 'The service cannot be reached.'
  }
}
