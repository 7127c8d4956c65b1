/** The search field: ranked results in place of the navigation, with keys to reach and leave them. */
import { element, findElement } from '../../browser/elements.ts'
import { createSearchIndex, type Found } from './search-index.ts'

const mostShown = 30

export function createSearch(): void {
  const form = findElement<HTMLFormElement>(document, '#search')
  const input = findElement<HTMLInputElement>(form, 'input')
  const status = findElement<HTMLElement>(form, '[role=status]')
  const results = findElement<HTMLElement>(document, '#results')
  const navigation = findElement<HTMLElement>(document, '#navigation')
  const search = createSearchIndex(routes())
  form.hidden = false

  const update = () => {
    const query = input.value.trim()
    const found = search(query)
    status.textContent = query === '' ? '' : messageFor(query, found.length)
    results.replaceChildren(...found.slice(0, mostShown).map(resultView))
    results.hidden = found.length === 0
    navigation.hidden = query !== ''
  }
  const links = () => [...results.querySelectorAll('a')]
  const move = (step: number) => {
    const all = links()
    const at = all.indexOf(document.activeElement as HTMLAnchorElement) + step
    if (at < 0) input.focus()
    else all[Math.min(at, all.length - 1)]?.focus()
  }
  const clear = () => {
    input.value = ''
    update()
    input.focus()
  }

  input.addEventListener('input', update)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    links()[0]?.click()
  })
  findElement<HTMLElement>(document, '#side').addEventListener('keydown', (event) => {
    if (input.value === '') return
    if (event.key === 'Escape') clear()
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
}

const messageFor = (query: string, count: number) => {
  if (count === 0) return `No route matches “${query}”.`
  return count === 1 ? '1 route' : `${count} routes${count > mostShown ? `, the best ${mostShown} are shown` : ''}`
}

const routes = () =>
  [...document.querySelectorAll<HTMLElement>('.route')].map((route) => ({
    id: route.id,
    methods: (route.dataset.methods ?? '').split(' '),
    path: route.dataset.path ?? '',
    summary: route.dataset.summary ?? '',
    group: route.dataset.group ?? '',
    args: [...route.querySelectorAll<HTMLElement>('tr[data-name]')].map((row) => row.dataset.name ?? ''),
  }))

function resultView({ route, argument }: Found): HTMLElement {
  const [method = ''] = route.methods
  const link = element(
    'a',
    { href: `#${route.id}` },
    element('span', { class: 'method', 'data-method': method }, method),
    element('span', {}, route.summary),
    element('code', {}, route.path),
    ...(argument === undefined ? [] : [element('small', {}, `argument ${argument}`)]),
  )
  return element('li', {}, link)
}
