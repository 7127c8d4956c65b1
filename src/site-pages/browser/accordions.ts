/** Accordions and toggles. Those of `details` elements work by themselves; here only their state is told. */

export function startAccordions(): void {
  for (const title of document.querySelectorAll<HTMLElement>(
    '.builder-accordion [role=button],.builder-toggle [role=button]',
  )) {
    const handle = title.querySelector('a') ?? title
    if (handle === title) title.tabIndex = 0
    title.addEventListener('click', () => turn(title))
    title.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      turn(title)
    })
  }
  for (const first of document.querySelectorAll<HTMLElement>('.builder-accordion')) {
    const title = first.querySelector<HTMLElement>('[role=button]')
    if (title) turn(title)
  }
  for (const details of document.querySelectorAll('details')) {
    details.addEventListener('toggle', () =>
      details.querySelector('summary[aria-expanded]')?.setAttribute('aria-expanded', String(details.open)),
    )
  }
}

/** An accordion shows one panel, a toggle as many as are opened. */
function turn(title: HTMLElement): void {
  const isOpen = title.getAttribute('aria-expanded') !== 'true'
  const group = title.closest('.builder-accordion')
  if (isOpen && group) for (const other of group.querySelectorAll<HTMLElement>('[role=button]')) set(other, false)
  set(title, isOpen)
}

function set(title: HTMLElement, isOpen: boolean): void {
  title.setAttribute('aria-expanded', String(isOpen))
  title.classList.toggle('builder-active', isOpen)
  document.getElementById(title.getAttribute('aria-controls') ?? '')?.classList.toggle('builder-active', isOpen)
}
