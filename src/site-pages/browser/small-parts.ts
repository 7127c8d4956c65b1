/** Alerts that close, countdowns that go on, and pictures in front of videos. */

export function startSmallParts(): void {
  for (const button of document.querySelectorAll('.builder-alert-dismiss')) {
    button.addEventListener('click', () => button.closest('.builder-alert')?.remove())
  }
  for (const overlay of document.querySelectorAll<HTMLElement>('.builder-custom-embed-image-overlay')) {
    overlay.addEventListener('click', () => play(overlay))
  }
  const countdowns = [...document.querySelectorAll<HTMLElement>('.builder-countdown-wrapper[data-date]')]
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
