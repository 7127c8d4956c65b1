/**
 * Opens and closes the popups of a page: by links, by the rules of their authors, by Escape. Without this script a link shows its
 * popup as a section at the end of the page.
 */

/** `PopupRules` of the renderer, as the attribute `data-popup` has them. */
interface Rules {
  readonly load?: number
  readonly scroll?: { readonly direction: 'down' | 'up'; readonly percent: number }
  readonly scrollTo?: string
  readonly clicks?: number
  readonly idle?: number
  readonly exit?: true
  readonly times?: { readonly most: number; readonly counts: 'opened' | 'closed'; readonly period: string }
  readonly views?: number
  readonly devices?: readonly string[]
  readonly opener?: string
  readonly alone?: true
  readonly closeAfter?: number
  readonly buttonAfter?: number
  readonly keptOnEscape?: true
  readonly keptOnOverlay?: true
  readonly isBeside?: true
}

type Popup = HTMLDialogElement

const popups = [...document.querySelectorAll<Popup>('dialog.builder-popup')]
const rulesOf = (popup: Popup): Rules => JSON.parse(popup.dataset['popup'] ?? '{}')
const later = (seconds: number, act: () => void) => setTimeout(act, seconds * 1000)

function open(popup: Popup): void {
  if (popup.open) return
  const { isBeside, closeAfter, buttonAfter } = rulesOf(popup)
  // A target of the address would be shown as a section behind.
  if (location.hash === `#${popup.id}`) history.replaceState(history.state, '', location.pathname + location.search)
  if (isBeside) popup.show()
  else popup.showModal()
  if (closeAfter) later(closeAfter, () => popup.close())
  if (!buttonAfter) return
  popup.dataset['waits'] = ''
  later(buttonAfter, () => delete popup.dataset['waits'])
}

// ---------------------------------------------------------------- links

/** A link to an open popup closes it. */
function follow(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : undefined
  const address = target?.closest('a[href^="#popup-"]')?.getAttribute('href') ?? ''
  const around = target?.closest<Popup>('dialog.builder-popup')
  const named = popups.find(({ id }) => address === `#${id}`) ?? popups.find((popup) => opens(popup, target))
  if (!named && !address.startsWith('#popup-close')) return
  event.preventDefault()
  if (address === '#popup-close-for-ever' && around) {
    stored(() => localStorage.setItem(closedKey(around), '1'))
  }
  if (!named) around?.close()
  else if (named.open) named.close()
  else {
    // One modal dialog at a time: the one behind could not be read.
    if (around) around.close()
    open(named)
  }
}

function opens(popup: Popup, target: Element | undefined): boolean {
  const { opener } = rulesOf(popup)
  if (!opener || !target) return false
  try {
    return target.closest(opener) !== null
  } catch {
    return false
  }
}

// ---------------------------------------------------------------- one popup

function start(popup: Popup, rules: Rules): void {
  popup.addEventListener('cancel', (event) => {
    if (rules.keptOnEscape) event.preventDefault()
  })
  popup.addEventListener('click', (event) => {
    if (event.target === popup && !rules.keptOnOverlay && isOutside(popup, event)) popup.close()
  })
  popup.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && !rules.isBeside) keepFocus(popup, event)
  })
  if (rules.times?.counts === 'closed') popup.addEventListener('close', () => count(popup))
  watch(popup, rules)
}

/** A click on the backdrop has the dialog as its target. */
function isOutside(popup: Popup, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = popup.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

const focusable =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,iframe,audio[controls],video[controls],[tabindex]'

/** A browser leaves a dialog for its own window at the last element; the focus goes to the first one instead. */
function keepFocus(popup: Popup, event: KeyboardEvent): void {
  const all = [...popup.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) =>
      element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true }),
  )
  const [first, last] = event.shiftKey ? [all.at(-1), all[0]] : [all[0], all.at(-1)]
  if (!first) event.preventDefault()
  if (document.activeElement !== last && popup.contains(document.activeElement)) return
  event.preventDefault()
  first?.focus()
}

// ---------------------------------------------------------------- rules

function watch(popup: Popup, rules: Rules): void {
  if (!mayOpen(popup, rules)) return
  let isDone = false
  const act = () => {
    if (isDone || (rules.alone && popups.some(({ open }) => open))) return
    isDone = true
    if (!mayOpen(popup, rules)) return
    if (rules.times?.counts === 'opened') count(popup)
    open(popup)
  }
  if (rules.load !== undefined) later(rules.load, act)
  if (rules.scroll) watchScroll(rules.scroll, act)
  if (rules.scrollTo) watchElement(rules.scrollTo, act)
  if (rules.clicks) watchClicks(popup, rules.clicks, act)
  if (rules.idle !== undefined) watchIdle(rules.idle, act)
  if (rules.exit) {
    document.addEventListener('mouseout', ({ relatedTarget, clientY }) => {
      if (relatedTarget === null && clientY <= 0) act()
    })
  }
}

function watchScroll({ direction, percent }: { direction: string; percent: number }, act: () => void): void {
  let before = scrollY
  addEventListener('scroll', () => {
    const { scrollHeight, clientHeight } = document.documentElement
    const isPast = scrollY >= ((scrollHeight - clientHeight) * percent) / 100
    if (direction === 'up' ? scrollY < before : isPast) act()
    before = scrollY
  })
}

function watchElement(selector: string, act: () => void): void {
  try {
    const element = document.querySelector(selector)
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) act()
    })
    if (element) observer.observe(element)
  } catch {
    // The author wrote no selector.
  }
}

function watchClicks(popup: Popup, clicks: number, act: () => void): void {
  let left = clicks
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && popup.contains(target)) return
    left--
    if (left === 0) act()
  })
}

function watchIdle(seconds: number, act: () => void): void {
  let timer = later(seconds, act)
  const again = () => {
    clearTimeout(timer)
    timer = later(seconds, act)
  }
  for (const name of ['pointermove', 'keydown', 'scroll', 'touchstart']) addEventListener(name, again)
}

// ---------------------------------------------------------------- memory

interface Memory {
  readonly count?: number
  /** When the period began, in milliseconds. */
  readonly since?: number
}

const day = 86_400_000
const lengths: { readonly [period: string]: number } = { day, week: 7 * day, month: 30 * day }

/** A browser may refuse to keep anything; the rules then hold for this page. */
function stored<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

const storeOf = (popup: Popup) => (rulesOf(popup).times?.period === 'visit' ? sessionStorage : localStorage)

const memoryOf = (popup: Popup): Memory => stored(() => JSON.parse(storeOf(popup).getItem(popup.id) ?? '{}')) ?? {}

const closedKey = ({ id }: Popup) => `${id}-closed`

/** An earlier period counts no more. */
function countOf(popup: Popup): number {
  const { count = 0, since = 0 } = memoryOf(popup)
  const length = lengths[rulesOf(popup).times?.period ?? '']
  return length !== undefined && Date.now() - since > length ? 0 : count
}

function count(popup: Popup): void {
  const before = countOf(popup)
  const since = before === 0 ? Date.now() : memoryOf(popup).since
  stored(() => storeOf(popup).setItem(popup.id, JSON.stringify({ count: before + 1, since })))
}

function mayOpen(popup: Popup, { times, views, devices }: Rules): boolean {
  if (stored(() => localStorage.getItem(closedKey(popup)))) return false
  if (times && countOf(popup) >= times.most) return false
  if (views && viewsOf() < views) return false
  const device = innerWidth < 768 ? 'mobile' : innerWidth < 1025 ? 'tablet' : 'desktop'
  return !devices || devices.includes(device)
}

let views = 0
/** Counts this page once. */
function viewsOf(): number {
  views ||= Number(stored(() => sessionStorage.getItem('popup-views')) ?? 0) + 1
  stored(() => sessionStorage.setItem('popup-views', String(views)))
  return views
}

// ---------------------------------------------------------------- start

for (const popup of popups) start(popup, rulesOf(popup))
document.addEventListener('click', follow)
// A modal dialog hears Escape itself.
document.addEventListener('keydown', ({ key }) => {
  const last = popups.findLast((popup) => popup.open && popup.dataset['beside'] !== undefined)
  if (key === 'Escape' && last && !rulesOf(last).keptOnEscape) last.close()
})
const atStart = /^#popup-\d+$/.test(location.hash) ? popups.find(({ id }) => id === location.hash.slice(1)) : undefined
if (atStart) open(atStart)
