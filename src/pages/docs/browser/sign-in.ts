/** Sign-in for the requests of the page. Login and password are held in memory only. */
import { element, findElement } from './elements.ts'
import { basic, type Credentials } from './request.ts'

interface SignInState {
  readonly credentials: () => Credentials | undefined
}

export function createSignIn(base: string): SignInState {
  let credentials: Credentials | undefined
  const section = findElement<HTMLElement>(document, '#sign-in')
  const form = findElement<HTMLFormElement>(section, 'form')
  const [login, password] = ['login', 'password'].map((name) => findElement<HTMLInputElement>(form, `[name=${name}]`))
  const status = findElement<HTMLElement>(section, '[role=status]')
  const signOut = element('button', { type: 'button', hidden: true }, 'Sign out')
  findElement(form, 'button').after(signOut)
  section.hidden = false

  const show = (text: string, isIn: boolean) => {
    status.textContent = text
    signOut.hidden = !isIn
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const entered = { login: login?.value ?? '', password: password?.value ?? '' }
    status.textContent = 'Signing in…'
    const refusal = await refusalOf(base, entered)
    if (refusal !== undefined) {
      show(credentials ? `${refusal} Requests are still sent as ${credentials.login}.` : refusal, Boolean(credentials))
      return
    }
    credentials = entered
    if (password) password.value = ''
    show(`Requests are sent as ${entered.login}, until this page is left.`, true)
  })
  signOut.addEventListener('click', () => {
    credentials = undefined
    show('Requests are sent as a visitor.', false)
    login?.focus()
  })
  return { credentials: () => credentials }
}

/** The error message for wrong credentials, which every route rejects; undefined for valid ones. */
async function refusalOf(base: string, entered: Credentials): Promise<string | undefined> {
  try {
    const headers = { Authorization: basic(entered) }
    const response = await fetch(`${base}/?_fields=name`, { headers, credentials: 'omit', cache: 'no-store' })
    if (response.ok) return undefined
    const { message } = (await response.json()) as { message?: string }
    return message ?? `The answer was ${response.status}.`
  } catch {
    return 'The service can not be reached.'
  }
}
