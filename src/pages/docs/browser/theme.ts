/** The switch between light and dark. Default: what the system prefers. */
import { findElement } from '../../browser/elements.ts'

const key = 'site-api-docs-theme'

export function createTheme(): void {
  const root = document.documentElement
  const button = findElement<HTMLButtonElement>(document, '#theme')
  const isDark = () => (root.dataset.theme ?? (systemIsDark() ? 'dark' : 'light')) === 'dark'
  const show = () => button.setAttribute('aria-pressed', String(isDark()))
  const stored = read()
  if (stored === 'dark' || stored === 'light') root.dataset.theme = stored
  button.hidden = false
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    write(root.dataset.theme)
    show()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)
  show()
}

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches

/** Browsers may forbid storage. */
function read(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(theme: string): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // The choice then lasts until the page is left.
  }
}
