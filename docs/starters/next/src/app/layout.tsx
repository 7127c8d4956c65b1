import type { ReactNode } from 'react'
import './style.css'

export const metadata = { title: 'A new site' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <a href="/">A new site</a>
          <nav aria-label="Main">
            <a href="/about/">About</a>
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
