'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { api } from '../../site/api'
import { cookieName, lifeSeconds, sessionOf } from '../../site/session'

export interface SignedIn {
  readonly message: string
  readonly login: string
}

/** The API checks the application password, and limits wrong ones. */
export async function signIn(_: SignedIn, form: FormData): Promise<SignedIn> {
  const login = String(form.get('login') ?? '')
  const credentials = new TextEncoder().encode(`${login}:${form.get('password')}`)
  const authorization = `Basic ${btoa(String.fromCodePoint(...credentials))}`
  const request = new Request(`http://localhost${api.root}/cms/v2/users/me`, { headers: { authorization } })
  const response = await api.fetch(request)
  if (response.status === 429) return { message: 'Too many attempts. Try again in a minute.', login }
  if (!response.ok) return { message: 'Login or password are wrong.', login }
  // The cast: what the route answers.
  const { id } = (await response.json()) as { readonly id: number }
  const secure = process.env['SITE_URL']?.startsWith('https:') ?? false
  const options = { httpOnly: true, sameSite: 'lax', maxAge: lifeSeconds, secure } as const
  ;(await cookies()).set(cookieName, sessionOf(id), options)
  redirect('/photographs')
}

export async function signOut(): Promise<void> {
  ;(await cookies()).delete(cookieName)
  redirect('/')
}
