/** Filters the routes by the words of the search field and shows their number. */
import { findElement } from './elements.ts'
import { matches } from './request.ts'

export function createSearch(): void {
  const form = findElement<HTMLFormElement>(document, '#search')
  const input = findElement<HTMLInputElement>(form, 'input')
  const count = findElement<HTMLElement>(form, '[role=status]')
  const groups = [...document.querySelectorAll<HTMLElement>('section.group')].map((group) => ({
    group,
    link: document.querySelector<HTMLElement>(`nav a[href="#${group.id}"]`)?.parentElement,
    routes: [...group.querySelectorAll<HTMLDetailsElement>('details.route')].map((route) => ({
      route,
      text: `${group.id} ${route.dataset.search ?? ''}`,
    })),
  }))
  const forAll = findElement<HTMLElement>(document, '#for-all')
  form.hidden = false

  const update = () => {
    const wanted = input.value.trim()
    let shown = 0
    for (const { group, link, routes } of groups) {
      for (const { route, text } of routes) route.hidden = !matches(text, wanted)
      const visible = routes.filter(({ route }) => !route.hidden).length
      group.hidden = visible === 0
      if (link) link.hidden = visible === 0
      shown += visible
    }
    forAll.hidden = wanted !== ''
    count.textContent = wanted === '' ? '' : shown === 1 ? '1 entry' : `${shown} entries`
  }
  input.addEventListener('input', update)
  form.addEventListener('submit', (event) => event.preventDefault())
}
