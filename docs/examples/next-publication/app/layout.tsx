import type { Metadata } from 'next'
import Form from 'next/form'
import { cookies } from 'next/headers'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { siteName } from '../site/content'
import { cookieName, userOf } from '../site/session'
import { signOut } from './sign-in/actions'
import './style.css'

// Pages show the stored state of this moment. Reading it inside the process takes about a millisecond.
export const dynamic = 'force-dynamic'

export async function generateMetadata(): Promise<Metadata> {
  const { name, description } = await siteName()
  return { title: { default: name, template: `%s · ${name}` }, description }
}

export const viewport = { colorScheme: 'light dark' }

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const { name, description } = await siteName()
  const user = userOf((await cookies()).get(cookieName)?.value)
  return (
    <html lang="en">
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <header className="masthead">
          <div className="brand">
            <p className="name">
              <Link href="/">{name}</Link>
            </p>
            <p className="tagline">{description}</p>
          </div>
          <nav aria-label="Sections">
            <Link href="/">Latest</Link>
            <Link href="/photographs">Photographs</Link>
            {user === null ? (
              <Link href="/sign-in">Sign in</Link>
            ) : (
              <form action={signOut}>
                <button type="submit" className="plain">
                  Sign out
                </button>
              </form>
            )}
          </nav>
          <search>
            <Form action="/search" className="search">
              <label htmlFor="q" className="hidden">
                Search the letters
              </label>
              <input id="q" type="search" name="q" placeholder="Search" required />
              <button type="submit">Search</button>
            </Form>
          </search>
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <footer>
          <p>{name}</p>
          <p>
            <a href="/api">API</a>
          </p>
        </footer>
      </body>
    </html>
  )
}
