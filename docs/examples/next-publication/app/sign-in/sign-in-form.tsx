'use client'

import { useActionState } from 'react'
import { signIn } from './actions'

export function SignInForm() {
  const [{ message, login }, send, isPending] = useActionState(signIn, { message: '', login: '' })
  return (
    <form action={send} className="panel">
      <p className={message === '' ? 'notice' : 'notice problem'} role="status">
        {message}
      </p>
      <p>
        <label htmlFor="login">Login or e-mail address</label>
        <input id="login" name="login" autoComplete="username" required defaultValue={login} />
      </p>
      <p>
        <label htmlFor="password">Application password</label>
        <input id="password" name="password" type="password" autoComplete="current-password" required />
      </p>
      <button type="submit" disabled={isPending}>
        Sign in
      </button>
    </form>
  )
}
