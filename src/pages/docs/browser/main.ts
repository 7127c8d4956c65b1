/** The script of the docs page: navigation, search, sign-in, and trying routes. */
import { copyButton } from '../../browser/copy.ts'
import { findElement } from '../../browser/elements.ts'
import { createSearch } from './search.ts'
import { createSignIn } from './sign-in.ts'
import { createTheme } from './theme.ts'
import { addTryIt, type TryIt } from './try-it.ts'
import { createViews } from './views.ts'

/** The page is directly below the root of the API, also behind a proxy that changes the path. */
const base = location.origin + location.pathname.replace(/\/docs\/*$/i, '').replace(/\/+$/, '')
const profile = findElement<HTMLElement>(document, '#columns').dataset.profile ?? ''

const shown = new Map<Element, TryIt>()
const signIn = createSignIn(base, () => {
  for (const { update } of shown.values()) update()
})

createTheme()
createSearch()
createMenu()
createViews((view) => {
  if (view.matches('.route') && !shown.has(view)) shown.set(view, addTryIt(view, { base, profile, signIn }))
  shown.get(view)?.update()
})
for (const code of document.querySelectorAll('[data-copy]')) code.after(copyButton(() => code.textContent ?? ''))

/** Opens the navigation of narrow windows by a button, and moves the focus to the search by a key. */
function createMenu(): void {
  const button = findElement<HTMLButtonElement>(document, '#menu')
  const side = findElement<HTMLElement>(document, '#side')
  const input = findElement<HTMLInputElement>(side, '#wanted')
  const set = (isOpen: boolean) => {
    side.toggleAttribute('data-open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  button.hidden = false
  set(false)
  button.addEventListener('click', () => set(!side.hasAttribute('data-open')))
  addEventListener('hashchange', () => set(false))
  document.addEventListener('click', ({ target }) => {
    // A link to the route that is shown changes no fragment.
    if (target instanceof Element && target.closest('#side a')) set(false)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && side.hasAttribute('data-open')) {
      set(false)
      button.focus()
    }
    const isShortcut =
      (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping(event))
    if (!isShortcut) return
    event.preventDefault()
    set(true)
    input.focus()
    input.select()
  })
}

const isTyping = ({ target }: KeyboardEvent) => target instanceof Element && target.matches('input, textarea, select')
