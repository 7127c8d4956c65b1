/** Arrows of carousels: the slides scroll by themselves, a click moves them by a page. */

export function startCarousels(): void {
  for (const carousel of document.querySelectorAll<HTMLElement>('.swiper')) {
    const track = carousel.querySelector<HTMLElement>('.swiper-wrapper')
    if (!track) continue
    // A box that scrolls has to be reached with the keyboard.
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
