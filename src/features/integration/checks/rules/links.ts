/** Checks links to addresses of the site, and those to elsewhere by the answers that a task has stored. */
import { linksOf } from '../link-tasks/store.ts'
import type { AddressKind, Check, CheckedSubject, Found } from '../model.ts'
import { type DrawnLink, linksIn } from './addresses.ts'
import { patchOf, placeOf, quoted, type TextEdit } from './stored.ts'

export const deadLinks: Check = {
  code: 'dead-link',
  looksAt: 'page',
  find: (subject) => findByKind(subject, (kind) => kind === 'missing', deadLink),
}

export const movedLinks: Check = {
  code: 'moved-link',
  looksAt: 'page',
  find: (subject) => findByKind(subject, (kind) => typeof kind === 'object', movedLink),
}

export const deadOutsideLinks: Check = {
  code: 'dead-outside-link',
  looksAt: 'record',
  find: async (subject) => {
    const known = new Map((await linksOf(subject.storage, subject.post.id)).map((link) => [link.url, link]))
    if (known.size === 0) return []
    const { outside } = linksIn(await subject.html(), subject.settings.home)
    return outside.flatMap(({ value, address, element }) => {
      const problem = known.get(address.href)?.problem ?? ''
      if (problem === '') return []
      const message = `The link to ${address.href} leads nowhere: ${problem}.`
      return [{ severity: 'warning', place: placeOf(subject, value, element), about: value, message } as const]
    })
  },
}

type KnownLink = DrawnLink & { readonly kind: AddressKind }

const kinds = new WeakMap<CheckedSubject, Promise<readonly KnownLink[]>>()

/** Two checks ask for the kinds of the same addresses. */
async function findByKind(
  subject: CheckedSubject,
  isWanted: (kind: AddressKind) => boolean,
  found: (subject: CheckedSubject, link: KnownLink) => Found,
): Promise<Found[]> {
  const known = kinds.get(subject) ?? kindsOf(subject)
  kinds.set(subject, known)
  return (await known).filter(({ kind }) => isWanted(kind)).map((link) => found(subject, link))
}

async function kindsOf(subject: CheckedSubject): Promise<KnownLink[]> {
  const { site, settings } = subject
  if (!site) return []
  const { own } = linksIn(await subject.html(), settings.home)
  const links: KnownLink[] = []
  for (const link of own) {
    const kind = await site.kindOf(link.address.href)
    links.push({ ...link, kind: kind === 'missing' && (await isOwnPage(subject, link)) ? 'page' : kind })
  }
  return links
}

/** A record that is not published yet may link itself. */
const isOwnPage = async (subject: CheckedSubject, { address }: DrawnLink): Promise<boolean> =>
  (await subject.page())?.address === address.href.replace(/#.*$/s, '')

function deadLink(subject: CheckedSubject, { value, element }: KnownLink): Found {
  const edit: TextEdit = {
    inHtml: new RegExp(`<a\\b[^<>]*\\bhref=(["'])${quoted(value)}\\1[^<>]*>((?:(?!<a\\b)[\\s\\S])*?)</a>`, 'gi'),
    to: (_whole, _quote = '', text = '') => text,
    setting: (text) => (text === value ? '' : undefined),
  }
  const patch = patchOf(subject, `Takes away the link to ${value}, and leaves its text.`, edit)
  const message = `The link to ${value} leads nowhere: visitors find no page there.`
  return { severity: 'error', place: placeOf(subject, value, element), about: value, message, ...(patch && { patch }) }
}

function movedLink(subject: CheckedSubject, { value, kind, address, element }: KnownLink): Found {
  const to = typeof kind === 'object' ? kind.moved + address.hash : value
  const edit: TextEdit = {
    inHtml: new RegExp(`(\\bhref=)(["'])${quoted(value)}\\2`, 'gi'),
    to: (_whole, name = '', quote = '') => `${name}${quote}${to.replaceAll('&', '&amp;')}${quote}`,
    setting: (text) => (text === value ? to : undefined),
  }
  const patch = patchOf(subject, `Links ${to} in place of ${value}.`, edit)
  const message = `The link to ${value} leads to the old address of ${to}.`
  return {
    severity: 'warning',
    place: placeOf(subject, value, element),
    about: value,
    message,
    ...(patch && { patch }),
  }
}
