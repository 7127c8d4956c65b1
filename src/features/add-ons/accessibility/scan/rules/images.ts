/** Judges pictures and frames: each says in words what it shows, or that it shows nothing. */

import { attributeOf, type Element, hasAttribute } from '../page/dom.ts'
import { isFocusable, isPresentation, nameByAria, svgTitle, titleOf } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { attribute, type Found, pathOf, type Rule, wordsOfAddress } from './rule.ts'

const group = 'altText'

const named = (element: Element, page: Page): boolean => nameByAria(element, page) !== '' || titleOf(element) !== ''

const all = (page: Page, isWanted: (element: Element) => boolean): readonly Element[] =>
  page.elements.filter((element) => isWanted(element) && !page.isSilent(element))

const sourceOf = (element: Element): string => attributeOf(element, 'src') ?? attributeOf(element, 'data') ?? ''

const nameOfFile = (element: Element): string =>
  sourceOf(element).startsWith('data:') ? '' : wordsOfAddress(sourceOf(element)).slice(0, 100)

const isRole = (element: Element, wanted: string): boolean =>
  attributeOf(element, 'role')?.trim().split(/\s+/)[0] === wanted

const image: Rule = {
  ...{ id: 'image-alt', group, category: 'A' },
  find: (page) =>
    all(page, ({ tagName }) => tagName === 'img')
      .filter((element) => {
        const alt = attributeOf(element, 'alt')
        if (alt !== undefined) return alt !== '' && alt.trim() === ''
        return !named(element, page) && !(isPresentation(element) && !isFocusable(element))
      })
      .map((element) => ({
        element,
        message: 'The picture has no alternative text.',
        proposal: attribute(image, pathOf(element, page), 'alt', nameOfFile(element)),
      })),
}

function unnamed(
  rule: Rule,
  page: Page,
  elements: readonly Element[],
  message: string,
  name = 'aria-label',
): readonly Found[] {
  return elements.map((element) => ({
    element,
    message,
    proposal: attribute(rule, pathOf(element, page), name, nameOfFile(element) || 'Picture'),
  }))
}

const inputImage: Rule = {
  ...{ id: 'input-image-alt', group, category: 'A' },
  find: (page) => {
    const wanted = all(
      page,
      (element) => element.tagName === 'input' && attributeOf(element, 'type')?.toLowerCase() === 'image',
    )
    const without = wanted.filter((one) => (attributeOf(one, 'alt') ?? '').trim() === '' && !named(one, page))
    return unnamed(inputImage, page, without, 'The button with a picture has no alternative text.', 'alt')
  },
}

const area: Rule = {
  ...{ id: 'area-alt', group, category: 'A' },
  find: (page) => {
    const maps = new Set(
      page.elements.flatMap((one) =>
        one.tagName === 'img' ? (attributeOf(one, 'usemap')?.replace(/^#/, '') ?? []) : [],
      ),
    )
    const wanted = page.elements.filter((one) => {
      const map = one.parentNode && 'tagName' in one.parentNode ? one.parentNode : undefined
      return (
        one.tagName === 'area' &&
        hasAttribute(one, 'href') &&
        map?.tagName === 'map' &&
        maps.has(attributeOf(map, 'name') ?? '')
      )
    })
    const without = wanted.filter((one) => (attributeOf(one, 'alt') ?? '').trim() === '' && !named(one, page))
    return unnamed(area, page, without, 'The part of a picture that leads somewhere has no alternative text.', 'alt')
  },
}

const roleImage: Rule = {
  ...{ id: 'role-img-alt', group, category: 'A' },
  find: (page) => {
    const wanted = all(page, (one) => isRole(one, 'img') && !/^(?:img|area|input|object|svg)$/.test(one.tagName))
    return unnamed(
      roleImage,
      page,
      wanted.filter((one) => !named(one, page)),
      'An element stands for a picture and has no name.',
    )
  },
}

const svgImage: Rule = {
  ...{ id: 'svg-img-alt', group, category: 'A' },
  find: (page) => {
    const wanted = all(
      page,
      (one) =>
        one.tagName === 'svg' && /^(?:img|graphics-document|graphics-symbol)\b/.test(attributeOf(one, 'role') ?? ''),
    )
    const without = wanted.filter((one) => !named(one, page) && svgTitle(one, page) === '')
    return unnamed(svgImage, page, without, 'The drawing has no name.')
  },
}

const frame: Rule = {
  ...{ id: 'frame-title', group: 'pageStructureNav', category: 'A' },
  find: (page) => {
    const wanted = all(page, (one) => one.tagName === 'iframe' || one.tagName === 'frame')
    const without = wanted.filter((one) => !(Number(attributeOf(one, 'tabindex') ?? 0) < 0) && !named(one, page))
    return without
      .filter((one) => !isPresentation(one))
      .map((element) => ({
        element,
        message: 'The frame has no title.',
        proposal: attribute(frame, pathOf(element, page), 'title', hostOf(sourceOf(element))),
      }))
  },
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '') || 'Content'

export const imageRules: readonly Rule[] = [image, inputImage, area, roleImage, svgImage, frame]
