/** Checks the texts that lists, searches and networks show of a record: its title, its excerpt, its description. */
import { isSupported } from '../../../content/content-types/model.ts'
import type { Check, CheckedSubject, Found } from '../model.ts'
import { headingIn, tagsIn, textIn } from './markup.ts'

const mostWords = { title: 10, excerpt: 30 }

/** The first words of a text, up to the end of a sentence where there is one. */
function beginningOf(text: string, most: number): string {
  const words = text.split(' ')
  if (words.length <= most) return text
  const cut = words.slice(0, most).join(' ')
  const sentence = /^(.{20,}[.!?…。！？])(?:\s|$)/s.exec(cut)?.[1]
  return sentence ?? `${cut} …`
}

const supports = ({ type }: CheckedSubject, support: 'title' | 'excerpt'): boolean =>
  type !== undefined && isSupported(type, support)

export const missingTitle: Check = {
  code: 'missing-title',
  looksAt: 'record',
  find: async (subject) => {
    if (subject.post.title.trim() !== '' || (subject.type && !supports(subject, 'title'))) return []
    const html = await subject.html()
    const title = beginningOf(headingIn(html) || textIn(html), mostWords.title)
    return [missing('title', 'error', 'It has no title.', title)]
  },
}

export const missingExcerpt: Check = {
  code: 'missing-excerpt',
  looksAt: 'record',
  find: async (subject) => {
    if (!supports(subject, 'excerpt') || subject.post.excerpt.trim() !== '') return []
    const excerpt = beginningOf(textIn(await subject.html()), mostWords.excerpt)
    return [missing('excerpt', 'notice', 'It has no excerpt: lists cut one from its text.', excerpt)]
  },
}

export const missingDescription: Check = {
  code: 'missing-description',
  looksAt: 'page',
  find: async (subject) => {
    const page = await subject.page()
    if (!page || tagsIn(page.html, ['meta']).some(isDescription)) return []
    const described = tagsIn(await subject.html(), ['img']).map(({ attributes }) => attributes.get('alt') ?? '')
    const words = described.find((alt) => alt !== '') ?? subject.post.title.trim()
    const excerpt = supports(subject, 'excerpt') ? words : ''
    return [
      missing('excerpt', 'warning', 'Its page has no description, since it has neither text nor excerpt.', excerpt),
    ]
  },
}

const isDescription = ({ attributes }: { readonly attributes: ReadonlyMap<string, string> }): boolean =>
  ['description', 'og:description'].includes(attributes.get('name') ?? attributes.get('property') ?? '') &&
  attributes.get('content') !== ''

/** `words`: proposed; empty: there is nothing to take them from. */
function missing(member: 'title' | 'excerpt', severity: Found['severity'], message: string, words: string): Found {
  const says = `Sets the ${member}: ${words}`
  return {
    severity,
    place: { member },
    message,
    ...(words !== '' && { patch: { says, members: { [member]: words } } }),
  }
}
