/** The script of the docs page: navigation, search, sign-in, and trying routes. */
import { copyButton } from '../../browser/copy.ts'
import { findElement } from '../../browser/elements.ts'
import { createMenu } from './menu.ts'
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
