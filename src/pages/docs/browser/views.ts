/** Shows one route at a time: the one that the fragment of the address names. */
import { findElement } from '../../browser/elements.ts'

export function createViews(onShow: (view: HTMLElement) => void): void {
  const siteTitle = document.title
  const overview = findElement<HTMLElement>(document, '#overview')
  const unknown = findElement<HTMLElement>(document, '#unknown')

  const show = (isFirst: boolean) => {
    const id = fragment()
    const target = id === '' ? overview : document.getElementById(id)
    const view = target?.closest<HTMLElement>('.view') ?? overview
    unknown.hidden = target?.closest('.view') != null
    for (const other of document.querySelectorAll<HTMLElement>('.view[data-current]')) delete other.dataset.current
    view.dataset.current = ''
    onShow(view)
    const heading = findElement<HTMLElement>(view, 'h2')
    document.title = view === overview ? siteTitle : `${heading.textContent} – ${siteTitle}`
    markCurrent(view.id)
    reveal(target && target !== view ? target : null, heading, isFirst)
  }

  addEventListener('hashchange', () => show(false))
  show(true)
}

function fragment(): string {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return location.hash.slice(1)
  }
}

/** Marks the link to the view and unfolds its group. */
function markCurrent(id: string): void {
  for (const link of document.querySelectorAll('#navigation [aria-current]')) link.removeAttribute('aria-current')
  const link = document.querySelector(`#navigation a[href="#${CSS.escape(id)}"]`)
  link?.setAttribute('aria-current', 'page')
  const group = link?.closest('details')
  if (group) group.open = true
  link?.scrollIntoView({ block: 'nearest' })
}

/** The heading is focused after a navigation, so that a screen reader begins there. */
function reveal(inner: HTMLElement | null, heading: HTMLElement, isFirst: boolean): void {
  if (inner instanceof HTMLDetailsElement) inner.open = true
  if (!isFirst) heading.focus({ preventScroll: true })
  if (inner) inner.scrollIntoView()
  else if (!isFirst) scrollTo(0, 0)
}
