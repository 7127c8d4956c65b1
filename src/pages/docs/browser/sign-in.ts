/** Who sends the requests. Login and password live in a variable of the page: they are gone when it is left. */
import { element, found } from './elements.ts'
import { basic, type Credentials } from './request.ts'

export interface SignedIn {
  readonly credentials: () => Credentials | undefined
}

export function createSignIn(base: string): SignedIn {
  let credentials: Credentials | undefined
  const section = found<HTMLElement>(document, '#sign-in')
  const form = found<HTMLFormElement>(section, 'form')
  const [login, password] = ['login', 'password'].map((name) => found<HTMLInputElement>(form, `[name=${name}]`))
  const status = found<HTMLElement>(section, '[role=status]')
  const signOut = element('button', { type: 'button', hidden: true }, 'Sign out')
  found(form, 'button').after(signOut)
  section.hidden = false

  const show = (text: string, isIn: boolean) => {
    status.textContent = text
    signOut.hidden = !isIn
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const tried = { login: login?.value ?? '', password: password?.value ?? '' }
    status.textContent = 'Signing in…'
    const refusal = await refusalOf(base, tried)
    if (refusal !== undefined) {
      show(credentials ? `${refusal} Requests are still sent as ${credentials.login}.` : refusal, Boolean(credentials))
      return
    }
    credentials = tried
    if (password) password.value = ''
    show(`Requests are sent as ${tried.login}, until this page is left.`, true)
  })
  signOut.addEventListener('click', () => {
    credentials = undefined
    show('Requests are sent as a visitor.', false)
    login?.focus()
  })
  return { credentials: () => credentials }
}

/** Wrong credentials are refused on every route, so any answers whether these are right. */
async function refusalOf(base: string, tried: Credentials): Promise<string | undefined> {
  try {
    const headers = { Authorization: basic(tried) }
    const answer = await fetch(`${base}/?_fields=name`, { headers, credentials: 'omit', cache: 'no-store' })
    if (answer.ok) return undefined
    const { message } = (await answer.json()) as { message?: string }
    return message ?? `The answer was ${answer.status}.`
  } catch {
    return 'The service can not be reached.'
  }
}
