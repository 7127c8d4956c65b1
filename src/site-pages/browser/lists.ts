/**
 * Changes lists in place: links to other pages, "load more", filters, and results while somebody types. The address follows, and the
 * back button shows the list of before. Without this script the same links load the page.
 */

const routes = document.documentElement.dataset['lists']
const entries = '.builder-loop-container,.builder-posts-container'
const anchors = '.e-load-more-anchor'
/** A query decodes a plus that is not escaped to a space. */
const separators = /[,+ ]/
const more = '.builder-widget>.builder-button-wrapper>a'

type Follow = 'follow' | 'back' | 'add'

/** Holds what a list shows, and the rules that the page does not have yet. */
interface Loaded {
  readonly box: HTMLElement
  readonly css?: string
}

/** Finds the element of a list by its id in the document. */
const listOf = (id: string | undefined, page: ParentNode = document) =>
  page.querySelector<HTMLElement>(`.builder-widget[data-id="${id}"]`)

/** The cast: every element has an id. */
const idOf = ({ dataset }: HTMLElement) => dataset['id'] as string
const here = () => new URL(location.href)

/** Returns whether a parameter of an address belongs to this list. */
const isOwn = (name: string, id: string): boolean =>
  name === 'page' || name === `e-page-${id}` || name.startsWith(`e-filter-${id}-`)

const stateOf = (url: URL, id: string): string =>
  url.pathname + [...url.searchParams].filter(([name]) => isOwn(name, id)).join('&')

/** Other lists of the page may have changed since the link was written: only its own part of the address counts. */
function targetOf(link: URL, list: HTMLElement): URL {
  const target = here()
  const id = idOf(list)
  if (!list.querySelector(':scope>[data-own]')) target.pathname = link.pathname
  const query = target.searchParams
  for (const name of [...query.keys()]) if (isOwn(name, id)) query.delete(name)
  for (const [name, value] of link.searchParams) if (isOwn(name, id)) query.set(name, value)
  return target
}

// ---------------------------------------------------------------- loading

/** The last load of each list wins. */
const loads = new WeakMap<Element, URL>()

/** Asks the route for the loops that it answers. */
async function refreshed(list: HTMLElement, target: URL): Promise<Loaded | undefined> {
  if (!list.querySelector(':scope>[data-refreshable]') || target.pathname !== location.pathname) return undefined
  const id = idOf(list)
  const query = target.searchParams
  return ask('loop', list, {
    widget_filters: { taxonomy: filtersIn(query, `e-filter-${id}-`) },
    pagination_base_url: target.href,
    page_number: query.get(`e-page-${id}`) ?? query.get('page') ?? 1,
  })
}

const filtersIn = (query: URLSearchParams, start: string) =>
  Object.fromEntries(
    [...query]
      .filter(([name]) => name.startsWith(start))
      .map(([name, value]) => [
        name.slice(start.length),
        { terms: value.split(separators), logicalJoin: /[+ ]/.test(value) ? 'AND' : 'OR' },
      ]),
  )

/** Returns undefined where the site has no such route, refuses it, or finds nothing. */
async function ask(route: string, widget: HTMLElement, more: object): Promise<Loaded | undefined> {
  if (!routes) return undefined
  // A preset of names changes the name of the attribute in this text.
  const post = widget.closest('[data-builder-id]')?.getAttribute('data-builder-id')
  const response = await fetch(`${routes}/refresh-${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ post_id: post, widget_id: idOf(widget), with_css: true, ...more }),
  })
  const { data, css } = response.ok ? await response.json() : {}
  if (!data) return undefined
  return { box: parse(data).body, css }
}

const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html')

/** Loads the page that the link names, and takes the list and the rules from it. */
async function ofPage(list: HTMLElement, target: URL): Promise<Loaded> {
  const response = await fetch(target)
  if (!response.ok) throw response
  const page = parse(await response.text())
  for (const sheet of page.querySelectorAll('link[rel=stylesheet]')) {
    if (!document.querySelector(`link[href="${sheet.getAttribute('href')}"]`)) document.head.append(sheet)
  }
  const box = listOf(idOf(list), page)
  if (!box) throw page
  return { box }
}

const known = new Set<string>()

/** A constructed sheet needs no permission of a content security policy. */
function addRules(css = ''): void {
  if (!css || known.has(css)) return
  known.add(css)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}

// ---------------------------------------------------------------- showing

/** Puts the new entries in the place of the old ones, or below them. Returns the element that a keyboard goes on from. */
function show(list: HTMLElement, { box, css }: Loaded, isAdded: boolean): HTMLElement {
  addRules(css)
  const before = isAdded && list.querySelector(entries)
  const fresh = box.querySelector(entries)
  const first = fresh?.firstElementChild as HTMLElement | undefined
  if (before && fresh) {
    before.append(...fresh.children)
    fresh.replaceWith(before)
  }
  list.replaceChildren(...box.childNodes)
  watchEnds()
  // The other script adds interaction to the new entries.
  dispatchEvent(new Event('site-shown'))
  return (isAdded && first) || list
}

let shown = here()

async function go(list: HTMLElement, target: URL, how: Follow): Promise<void> {
  loads.set(list, target)
  list.ariaBusy = 'true'
  try {
    const loaded = (await refreshed(list, target)) ?? (await ofPage(list, target))
    if (loads.get(list) !== target) return
    if (how === 'follow') history.pushState(0, '', target)
    if (how !== 'add') shown = here()
    // The link that was followed is gone with the entries before.
    const focused = document.activeElement as HTMLElement
    const hadFocus = list.contains(focused)
    const next = show(list, loaded, how === 'add')
    for (const filter of document.querySelectorAll<HTMLElement>(`[data-list="${idOf(list)}"]`)) mark(filter)
    if (hadFocus) {
      next.tabIndex = -1
      const again = list.querySelector<HTMLElement>(`[data-term="${focused.dataset['term']}"]`) ?? next
      again.focus({ preventScroll: true })
    }
    if (how === 'follow' && list.getBoundingClientRect().top < 0) list.scrollIntoView()
  } catch {
    if (loads.get(list) !== target) return
    location.assign(target)
  }
  list.ariaBusy = null
}

// ---------------------------------------------------------------- filters

const nameOf = ({ dataset }: HTMLElement): string => `e-filter-${dataset['list']}-${dataset['taxonomy']}`

const chosenIn = (filter: HTMLElement): readonly string[] =>
  (here().searchParams.get(nameOf(filter)) ?? '').split(separators).filter((term) => term)

/** Returns the address with this term chosen, or given up; without a term that of the whole list. */
function filteredBy(filter: HTMLElement, term: string | undefined): URL {
  const target = here()
  const { join, list } = filter.dataset
  const chosen = chosenIn(filter)
  const rest = join && term ? chosen.filter((one) => one !== term) : []
  const terms = term && !chosen.includes(term) ? [...rest, term] : rest
  target.pathname = target.pathname.replace(/page\/\d+\/?$/, '')
  for (const name of ['page', `e-page-${list}`, nameOf(filter)]) target.searchParams.delete(name)
  if (terms.length) target.searchParams.set(nameOf(filter), terms.join(join))
  return target
}

function mark(filter: HTMLElement): void {
  const chosen = chosenIn(filter)
  for (const link of filter.querySelectorAll('a')) {
    const { term } = link.dataset
    link.href = filteredBy(filter, term).href
    link.ariaCurrent = (term ? chosen.includes(term) : !chosen.length) ? 'true' : null
  }
}

// ---------------------------------------------------------------- links

addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a')
  // Such a click opens a new window.
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
  const filter = link.closest<HTMLElement>('[data-list]')
  const list = filter ? listOf(filter.dataset['list']) : pagedBy(link)
  if (!list) return
  event.preventDefault()
  const address = filter ? filteredBy(filter, link.dataset['term']) : targetOf(new URL(link.href), list)
  void go(list, address, link.matches('.builder-button') ? 'add' : 'follow')
})

/** "Load more" has the role of a button. */
addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement
  if (event.key !== ' ' || !target.matches(more)) return
  event.preventDefault()
  target.click()
})

/** Links to other pages follow the entries of a list, outside of them. */
function pagedBy(link: Element): HTMLElement | null {
  const list = link.closest<HTMLElement>('.builder-widget')
  return link.closest(entries) === list?.closest(entries) && list?.querySelector(`:scope>${anchors}`) ? list : null
}

addEventListener('popstate', () => {
  const [before, now] = [shown, here()]
  shown = now
  const marks = [...document.querySelectorAll<HTMLElement>(`${anchors},[data-list]`)]
  for (const list of new Set(marks.map((one) => listOf(one.dataset['list']) ?? one.parentElement))) {
    if (list && stateOf(now, idOf(list)) !== stateOf(before, idOf(list))) void go(list, now, 'back')
  }
})

/** Endless lists load more when their end is in sight. */
const ends = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (isIntersecting) target.parentElement?.querySelector<HTMLElement>(more)?.click()
  }
})

function watchEnds(): void {
  ends.disconnect()
  for (const anchor of document.querySelectorAll(`${anchors}[data-endless]`)) ends.observe(anchor)
}
watchEnds()

// ---------------------------------------------------------------- search

function startSearch(results: HTMLElement, search: HTMLElement, field: HTMLInputElement): void {
  let timer: ReturnType<typeof setTimeout>
  let wanted = ''
  const hide = () => {
    clearTimeout(timer)
    wanted = ''
    results.hidden = true
  }
  const find = async () => {
    const text = wanted
    const found = await ask('search', search, { search_term: text })
    // The reader has typed on meanwhile, or gone away.
    if (text !== wanted) return
    addRules(found?.css)
    // The cast: the box is drawn with the attribute.
    results.replaceChildren(...(found?.box.childNodes ?? [results.dataset['nothing'] as string]))
    results.hidden = false
  }
  const leave = ({ target }: Event) => {
    if (!search.contains(target as Node)) hide()
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    wanted = field.value.trim()
    if (wanted.length < Number(results.dataset['minimum'])) hide()
    else timer = setTimeout(find, 250)
  })
  search.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || results.hidden) return
    field.focus()
    hide()
  })
  addEventListener('click', leave)
  addEventListener('focusin', leave)
}

for (const results of document.querySelectorAll<HTMLElement>('.e-search-results')) {
  const search = results.closest<HTMLElement>('.builder-widget')
  const field = search?.querySelector<HTMLInputElement>('[name=s]')
  if (routes && search && field) startSearch(results, search, field)
}
