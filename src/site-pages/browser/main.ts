/** The script of pages, which are readable without it. It adds interaction, and marks the page with a class. */
import { found } from './found.ts'
import { startTabs } from './tabs.ts'

document.documentElement.classList.add('builder-js')
start()
addEventListener('site-shown', start)

function start(): void {
  startTabs()
  startAccordions()
  startCarousels()
  startSmallParts()
}

/** Closes alerts, and replaces the pictures in front of videos. */
function startSmallParts(): void {
  for (const button of found('.builder-alert-dismiss')) {
    button.addEventListener('click', () => button.closest('.builder-alert')?.remove())
  }
  for (const overlay of found('.builder-custom-embed-image-overlay')) {
    overlay.addEventListener('click', () => play(overlay))
  }
  const countdowns = found('.builder-countdown-wrapper[data-date]')
  if (countdowns.length > 0) setInterval(() => countdowns.forEach(count), 1000)
}

function play(overlay: HTMLElement): void {
  const player = overlay.parentElement?.querySelector<HTMLVideoElement | HTMLIFrameElement>('video,iframe')
  overlay.remove()
  player?.focus()
  if (player instanceof HTMLVideoElement) void player.play()
}

const units = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const

function count(countdown: HTMLElement): void {
  let rest = Math.max(0, Number(countdown.dataset['date']) - Math.floor(Date.now() / 1000))
  for (const [name, seconds] of units) {
    const digits = countdown.querySelector(`.builder-countdown-${name}`)
    if (!digits) continue
    digits.textContent = String(Math.floor(rest / seconds)).padStart(2, '0')
    rest %= seconds
  }
}

/** Lets the arrows of a carousel scroll its slides by a page. */
function startCarousels(): void {
  for (const carousel of found('.swiper')) {
    const track = carousel.querySelector<HTMLElement>('.swiper-wrapper')
    if (!track) continue
    // The keyboard has to reach a box that scrolls.
    track.tabIndex = 0
    for (const side of ['prev', 'next'] as const) {
      const button = carousel.querySelector<HTMLElement>(`.builder-swiper-button-${side}`)
      if (button) startButton(button, () => move(track, side === 'next' ? 1 : -1))
    }
  }
}

function startButton(button: HTMLElement, act: () => void): void {
  button.addEventListener('click', act)
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    act()
  })
}

function move(track: HTMLElement, direction: 1 | -1): void {
  const { scrollLeft, clientWidth, scrollWidth } = track
  const isRtl = getComputedStyle(track).direction === 'rtl'
  const position = Math.abs(scrollLeft)
  const isAtEnd = direction === 1 ? position + clientWidth >= scrollWidth - 2 : position <= 2
  const target = isAtEnd ? (direction === 1 ? 0 : scrollWidth) : position + direction * clientWidth
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
  track.scrollTo({ left: isRtl ? -target : target, behavior })
}

/** Opens accordions and toggles. `details` elements open by themselves: here only their state is announced. */
function startAccordions(): void {
  for (const title of found('.builder-accordion [role=button],.builder-toggle [role=button]')) {
    const handle = title.querySelector('a') ?? title
    if (handle === title) title.tabIndex = 0
    title.addEventListener('click', () => turn(title))
    title.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      turn(title)
    })
  }
  for (const accordion of found('.builder-accordion')) {
    const title = accordion.querySelector<HTMLElement>('[role=button]')
    if (title) turn(title)
  }
  for (const details of found<HTMLDetailsElement>('details')) {
    details.addEventListener('toggle', () =>
      details.querySelector('summary[aria-expanded]')?.setAttribute('aria-expanded', String(details.open)),
    )
  }
}

/** An accordion shows one panel at a time, a toggle any number. */
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
