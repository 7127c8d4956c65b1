/** Judges the page as a whole: its language, title, size and ids, and what plays by itself. */

import { lookupTable } from '../../../../../contract/lookup-table.ts'
import { attributeOf, childrenOf, closest, type Element, hasAttribute, wordsOf, xpathOf } from '../page/dom.ts'
import { isFocusable, textOf } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { attribute, pathOf, type Rule } from './rule.ts'

/** A page that states no language gets this one proposed. */
const unknownLanguage = 'en'

const language: Rule = {
  ...{ id: 'html-has-lang', group: 'pageStructureNav', category: 'A' },
  find: ({ root }) =>
    (attributeOf(root, 'lang') ?? '').trim() === ''
      ? [
          {
            element: root,
            message: 'The page does not say its language.',
            proposal: attribute(language, '/html', 'lang', unknownLanguage),
          },
        ]
      : [],
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether the first part of a tag is a language. */
function isLanguage(tag: string): boolean {
  const [primary = ''] = tag.trim().toLowerCase().split(/[-_]/)
  if (!/^[a-z]{2,3}$/.test(primary)) return false
  try {
    return names.of(primary) !== undefined
  } catch {
    return false
  }
}

const validLanguage: Rule = {
  ...{ id: 'html-lang-valid', group: 'pageStructureNav', category: 'A' },
  find: ({ root }) => {
    const tag = attributeOf(root, 'lang') ?? ''
    if (tag.trim() === '' || isLanguage(tag)) return []
    const message = `"${tag}" is no language.`
    return [{ element: root, message, proposal: attribute(validLanguage, '/html', 'lang', unknownLanguage) }]
  },
}

const partLanguage: Rule = {
  ...{ id: 'valid-lang', group: 'pageStructureNav', category: 'AA' },
  find: (page) =>
    page.elements
      .filter((one) => one !== page.root && hasAttribute(one, 'lang') && !page.isSilent(one))
      .filter((one) => !isLanguage(attributeOf(one, 'lang') ?? '') && textOf(one, page) !== '')
      .map((element) => ({
        element,
        message: `"${attributeOf(element, 'lang')}" is no language.`,
        proposal: attribute(partLanguage, pathOf(element, page), 'lang', undefined),
      })),
}

const title: Rule = {
  ...{ id: 'document-title', group: 'pageStructureNav', category: 'A' },
  find: (page) => {
    const own = page.elements.find(
      (one) => one.tagName === 'title' && closest(one, ({ tagName }) => tagName === 'head'),
    )
    if (own?.childNodes.some((node) => 'value' in node && node.value.trim() !== '')) return []
    return [{ element: page.root, message: 'The page has no title.' }]
  },
}

const zoom: Rule = {
  ...{ id: 'meta-viewport', group: 'pageStructureNav', category: 'AA' },
  find: (page) =>
    page.elements
      .filter((one) => one.tagName === 'meta' && attributeOf(one, 'name')?.toLowerCase() === 'viewport')
      .filter((one) => {
        const content = (attributeOf(one, 'content') ?? '').toLowerCase().replace(/\s/g, '')
        const largest = Number(/maximum-scale=([\d.]+)/.exec(content)?.[1] ?? 10)
        return /user-scalable=(?:no|0)\b/.test(content) || largest < 2
      })
      .map((element) => ({
        element,
        message: 'Readers can not enlarge the page.',
        proposal: attribute(zoom, pathOf(element, page), 'content', 'width=device-width, initial-scale=1'),
      })),
}

// ---------------------------------------------------------------- ids

const ids: Rule = {
  ...{ id: 'duplicate-id', group: 'other', category: 'A' },
  find: (page) => repeated(page, (id) => !isReferenced(page, id)),
}

const referencedIds: Rule = {
  ...{ id: 'duplicate-id-aria', group: 'other', category: 'A' },
  find: (page) => repeated(page, (id) => isReferenced(page, id), referencedIds),
}

/** The first of several elements stands for all; the second one gets another id. */
function repeated(page: Page, isWanted: (id: string) => boolean, rule: Rule = ids) {
  return [...page.ids]
    .filter(([id, elements]) => elements.length > 1 && isWanted(id))
    .map(([id, elements]) => ({
      // The cast: the list has more than one.
      element: elements[0] as Element,
      message: `${elements.length} elements have the id "${id}".`,
      proposal: attribute(rule, xpathOf(elements[1] as Element), 'id', `${id}-2`),
    }))
}

const references = new WeakMap<Page, ReadonlySet<string>>()
const NAMING = [
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-activedescendant',
  'aria-details',
  'aria-errormessage',
  'aria-flowto',
  'for',
]

function isReferenced(page: Page, id: string): boolean {
  const known =
    references.get(page) ?? new Set(page.elements.flatMap((one) => NAMING.flatMap((name) => wordsOf(one, name))))
  references.set(page, known)
  return known.has(id)
}

// ---------------------------------------------------------------- what plays

const autoplay: Rule = {
  ...{ id: 'no-autoplay-audio', group: 'dynamicContent', category: 'A' },
  find: (page) =>
    page.elements
      .filter(
        (one) => /^(?:audio|video)$/.test(one.tagName) && hasAttribute(one, 'autoplay') && !hasAttribute(one, 'muted'),
      )
      .filter((one) => !hasAttribute(one, 'controls') && sourcesOf(one).length > 0)
      .map((element) => ({
        element,
        message: 'It plays by itself, and nothing stops it.',
        proposal: attribute(autoplay, pathOf(element, page), 'autoplay', undefined),
      })),
}

const sourcesOf = (one: Element): readonly string[] =>
  [one, ...childrenOf(one)].flatMap((part) => attributeOf(part, 'src') ?? [])

// ---------------------------------------------------------------- lists and the keyboard

const LISTS: { readonly [tag: string]: true } = lookupTable({ ul: true, ol: true })

const list: Rule = {
  ...{ id: 'list', group: 'other', category: 'A' },
  find: (page) =>
    page.elements
      .filter((one) => LISTS[one.tagName] && !hasAttribute(one, 'role') && !page.isSilent(one))
      .filter((one) =>
        childrenOf(one).some(
          (child) =>
            !['li', 'script', 'template', 'style', 'link', 'meta', 'map', 'area', 'datalist'].includes(child.tagName) &&
            attributeOf(child, 'role') !== 'listitem' &&
            !page.isHidden(child),
        ),
      )
      .map((element) => ({ element, message: 'The list holds what is no item.' })),
}

const silentFocus: Rule = {
  ...{ id: 'aria-hidden-focus', group: 'keyboardAssistiveTech', category: 'A' },
  find: (page) =>
    page.elements
      .filter((one) => attributeOf(one, 'aria-hidden') === 'true' && !page.isHidden(one))
      .filter((one) =>
        page.elements.some(
          (below) =>
            closest(below, (up) => up === one) &&
            isFocusable(below) &&
            !(Number(attributeOf(below, 'tabindex') ?? 0) < 0) &&
            !page.isHidden(below),
        ),
      )
      .map((element) => ({
        element,
        message: 'It can be reached by the keyboard, and is not read.',
        proposal: attribute(silentFocus, pathOf(element, page), 'aria-hidden', undefined),
      })),
}

export const documentRules: readonly Rule[] = [
  language,
  validLanguage,
  partLanguage,
  title,
  zoom,
  ids,
  referencedIds,
  autoplay,
  list,
  silentFocus,
]
