/** The navigation of narrow windows, behind a button, and the keys that reach the search from anywhere. */
import { findElement } from '../../browser/elements.ts'

export function createMenu(): void {
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
