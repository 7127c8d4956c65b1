/** What the docs page can do with a script: search, sign in, and try a route. Without it the page can be read. */
import { found } from './elements.ts'
import { createSearch } from './search.ts'
import { createSignIn } from './sign-in.ts'
import { addTryIt, type Surroundings } from './try-it.ts'

/** The page lies right below the root, whatever the address that a proxy gives it. */
const base = location.origin + location.pathname.replace(/\/docs\/*$/i, '').replace(/\/+$/, '')

const surroundings: Surroundings = { base, ...createSignIn(base) }
createSearch()
found<HTMLElement>(document, '#unscripted').hidden = true

const ready = new WeakSet<Element>()

function prepare(route: Element): void {
  if (!(route instanceof HTMLDetailsElement) || !route.open || !route.matches('.route') || ready.has(route)) return
  ready.add(route)
  addTryIt(route, surroundings)
}

// The event does not bubble.
document.addEventListener('toggle', ({ target }) => target instanceof Element && prepare(target), true)
for (const route of document.querySelectorAll('details.route[open]')) prepare(route)

/** A link to a route or a form opens it. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1))
  if (!(target instanceof HTMLDetailsElement)) return
  target.open = true
  target.scrollIntoView()
}

addEventListener('hashchange', openTarget)
openTarget()
