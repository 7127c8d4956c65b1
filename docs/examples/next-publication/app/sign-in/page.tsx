import { SignInForm } from './sign-in-form'

export const metadata = { title: 'Sign in' }

export default function Page() {
  return (
    <div className="column">
      <h1>Sign in</h1>
      <SignInForm />
    </div>
  )
}
