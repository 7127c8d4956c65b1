/** Random documents, and edits of them that are carried out one by one: the model that merges are compared with. */

export interface Element {
  id: string
  elType: string
  settings: { [name: string]: unknown }
  elements: Element[]
}

/** Changes the document; false: it could not be carried out. */
export type Edit = (document: Element[]) => boolean

export type Pick = (below: number) => number

/** The same numbers for the same seed. */
export function createPick(seed: number): Pick {
  let state = (seed * 2654435761) >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const words = (pick: Pick) => Array.from({ length: 6 + pick(6) }, (_, at) => `word${'abcdefghijkl'[at]}`).join(' ')

const newElement = (id: string, pick: Pick): Element => ({
  id,
  elType: 'container',
  settings: {
    title: words(pick),
    color: '#111111',
    gap: { unit: 'px', size: pick(9) },
    classes: { $$type: 'classes', value: ['g-1', 'g-2', 'g-3'] },
    items: [
      { _id: 'one', label: 'first' },
      { _id: 'two', label: 'second' },
    ],
  },
  elements: [],
})

export function randomDocument(pick: Pick): Element[] {
  const document: Element[] = []
  for (let count = 0, size = 4 + pick(20); count < size; count++) {
    const lists = [document, document, ...all(document).map(({ elements }) => elements)]
    const list = lists[pick(lists.length)] as Element[]
    list.splice(pick(list.length + 1), 0, newElement(`e${count}`, pick))
  }
  return document
}

export function all(document: readonly Element[]): Element[] {
  return document.flatMap((element) => [element, ...all(element.elements)])
}

export function parentsOf(document: readonly Element[]): Map<string, string> {
  const found = new Map<string, string>()
  const enter = (list: readonly Element[], parent: string) => {
    for (const { id, elements } of list) {
      found.set(id, parent)
      enter(elements, id)
    }
  }
  enter(document, '')
  return found
}

interface Found {
  readonly element: Element
  readonly list: Element[]
}

function find(document: Element[], id: string, list = document): Found | undefined {
  for (const element of list) {
    const found = element.id === id ? { element, list } : find(document, id, element.elements)
    if (found) return found
  }
  return undefined
}

const setting =
  (id: string, change: (settings: Element['settings']) => boolean): Edit =>
  (document) => {
    const found = find(document, id)
    return found !== undefined && change(found.element.settings)
  }

const remove =
  (id: string): Edit =>
  (document) => {
    const found = find(document, id)
    found?.list.splice(found.list.indexOf(found.element), 1)
    return found !== undefined
  }

/** Behind an element of this list; `behind` is empty: at its beginning. */
function put(document: Element[], element: Element, parent: string, behind: string): boolean {
  const list = parent === '' ? document : find(document, parent)?.element.elements
  const at = behind === '' ? 0 : (list?.findIndex(({ id }) => id === behind) ?? -1) + 1
  if (!list || (behind !== '' && at === 0)) return false
  list.splice(at, 0, element)
  return true
}

function move(id: string, parent: string, behind: string): Edit {
  return (document) => {
    const found = find(document, id)
    if (!found || id === behind || parent === id || find(found.element.elements, parent)) return false
    found.list.splice(found.list.indexOf(found.element), 1)
    return put(document, found.element, parent, behind)
  }
}

/** An edit that can be carried out now. `name` tells the sides apart; `number` the edits of one side. */
export function randomEdit(document: Element[], pick: Pick, name: string, number: number): Edit {
  const known = all(document)
  const { id } = known[pick(known.length)] ?? { id: '' }
  const parents = ['', ...known.map((one) => one.id)]
  const parent = parents[pick(parents.length)] as string
  const list = parent === '' ? document : (find(document, parent)?.element.elements ?? [])
  const behind = ['', ...list.map((one) => one.id)][pick(list.length + 1)] as string
  const value = `${name}${number}`
  const edits: readonly (() => Edit)[] = [
    () => {
      const name = ['color', 'size', 'link'][pick(3)] as string
      return setting(id, (settings) => set(settings, name, value))
    },
    () => {
      const word = `word${'abcdefghijkl'[pick(10)]}`
      return setting(id, (settings) => replaceWord(settings, word, `new${name}${'pqrstuv'[number % 7]}`))
    },
    () => {
      const member = `g-${1 + pick(3)}`
      return setting(id, (settings) => changeClasses(settings, (all) => all.filter((one) => one !== member)))
    },
    () => setting(id, (settings) => changeClasses(settings, (all) => [...all, `g-${value}`])),
    () => {
      const item = ['one', 'two'][pick(2)] as string
      const name = ['label', 'icon'][pick(2)] as string
      return setting(id, (settings) => setItem(settings, item, name, value))
    },
    () => remove(id),
    () => (target) =>
      put(
        target,
        newElement(`${name}${number}`, () => 1),
        parent,
        behind,
      ),
    () => move(id, parent, behind),
  ]
  return (edits[pick(edits.length)] as () => Edit)()
}

function set(settings: Element['settings'], name: string, value: string): boolean {
  settings[name] = value
  return true
}

function replaceWord(settings: Element['settings'], word: string, by: string): boolean {
  const before = String(settings['title'])
  settings['title'] = before.replace(new RegExp(`\\b${word}\\b`), by)
  return settings['title'] !== before
}

function changeClasses(settings: Element['settings'], change: (names: string[]) => string[]): boolean {
  const { value } = settings['classes'] as { value: string[] }
  const changed = change(value)
  settings['classes'] = { $$type: 'classes', value: changed }
  return changed.length !== value.length
}

function setItem(settings: Element['settings'], item: string, name: string, value: string): boolean {
  const found = (settings['items'] as { _id: string; [name: string]: string }[]).find(({ _id }) => _id === item)
  if (found) found[name] = value
  return found !== undefined
}

/** Undefined: one of the edits could not be carried out. */
export function edited(document: readonly Element[], edits: readonly Edit[]): Element[] | undefined {
  const copy = structuredClone(document) as Element[]
  return edits.every((edit) => edit(copy)) ? copy : undefined
}

export function randomEdits(
  document: readonly Element[],
  pick: Pick,
  name: string,
): { edits: Edit[]; after: Element[] } {
  const after = structuredClone(document) as Element[]
  const edits: Edit[] = []
  for (let number = 0, count = 1 + pick(4); number < count; number++) {
    const edit = randomEdit(after, pick, name, number)
    const tried = structuredClone(after)
    if (!edit(tried)) continue
    edit(after)
    edits.push(edit)
  }
  return { edits, after }
}
