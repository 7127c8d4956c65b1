/** Shows one panel of tabs at a time; the arrow keys move between tabs. */

import { found } from './found.ts'

export function startTabs(): void {
  for (const list of found('[role=tablist]')) start(list)
}

function start(list: HTMLElement): void {
  const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')]
  const isVertical = list.getAttribute('aria-orientation') === 'vertical'
  const keys: { readonly [key: string]: (at: number) => number } = {
    [isVertical ? 'ArrowDown' : 'ArrowRight']: (at) => (at + 1) % tabs.length,
    [isVertical ? 'ArrowUp' : 'ArrowLeft']: (at) => (at - 1 + tabs.length) % tabs.length,
    Home: () => 0,
    End: () => tabs.length - 1,
  }
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tabs, tab))
    tab.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault()
        select(tabs, tab)
      }
      const next = tabs[keys[event.key]?.(at) ?? -1]
      if (!next) return
      event.preventDefault()
      select(tabs, next)
      next.focus()
    })
  }
}

/** The style sheets hide panels that have none of these classes. */
const active = ['builder-active', 'e-active', 'e--selected']

function select(tabs: readonly HTMLElement[], chosen: HTMLElement): void {
  for (const tab of tabs) {
    const isChosen = tab === chosen
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
    for (const name of active) {
      tab.classList.toggle(name, isChosen)
      panel?.classList.toggle(name, isChosen)
    }
  }
}
