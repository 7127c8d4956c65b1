/** Shows the routes that hold all words of the search, and says how many there are. */
import { found } from './elements.ts'
import { matches } from './request.ts'

export function createSearch(): void {
  const form = found<HTMLFormElement>(document, '#search')
  const input = found<HTMLInputElement>(form, 'input')
  const count = found<HTMLElement>(form, '[role=status]')
  const groups = [...document.querySelectorAll<HTMLElement>('section.group')].map((group) => ({
    group,
    link: document.querySelector<HTMLElement>(`nav a[href="#${group.id}"]`)?.parentElement,
    routes: [...group.querySelectorAll<HTMLDetailsElement>('details.route')].map((route) => ({
      route,
      text: `${group.id} ${route.dataset.search ?? ''}`,
    })),
  }))
  const forAll = found<HTMLElement>(document, '#for-all')
  form.hidden = false

  const update = () => {
    const wanted = input.value.trim()
    let shown = 0
    for (const { group, link, routes } of groups) {
      let left = 0
      for (const { route, text } of routes) {
        route.hidden = !matches(text, wanted)
        if (!route.hidden) left++
      }
      group.hidden = left === 0
      if (link) link.hidden = left === 0
      shown += left
    }
    forAll.hidden = wanted !== ''
    count.textContent = wanted === '' ? '' : shown === 1 ? '1 entry' : `${shown} entries`
  }
  input.addEventListener('input', update)
  form.addEventListener('submit', (event) => event.preventDefault())
}
