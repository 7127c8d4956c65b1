/** The script of the docs page: search, sign-in, and trying routes. */
import { findElement } from './elements.ts'
import { createSearch } from './search.ts'
import { createSignIn } from './sign-in.ts'
import { addTryIt, type TryItContext } from './try-it.ts'

/** The page is directly below the root of the API, also behind a proxy that changes the path. */
const base = location.origin + location.pathname.replace(/\/docs\/*$/i, '').replace(/\/+$/, '')

const tryItContext: TryItContext = { base, ...createSignIn(base) }
createSearch()
findElement<HTMLElement>(document, '#unscripted').hidden = true

const prepared = new WeakSet<Element>()

function prepare(route: Element): void {
  if (!(route instanceof HTMLDetailsElement) || !route.open || !route.matches('.route') || prepared.has(route)) return
  prepared.add(route)
  addTryIt(route, tryItContext)
}

// The event does not bubble.
document.addEventListener('toggle', ({ target }) => target instanceof Element && prepare(target), true)
for (const route of document.querySelectorAll('details.route[open]')) prepare(route)

/** Opens the route or schema that the URL fragment names. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1))
  if (!(target instanceof HTMLDetailsElement)) return
  target.open = true
  target.scrollIntoView()
}

addEventListener('hashchange', openTarget)
openTarget()
