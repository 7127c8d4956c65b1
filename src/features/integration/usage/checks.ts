/** The check of records before they are published: what they name is there. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json } from '../../../contract/storage.ts'
import { type BuilderElement, elementsKey, isObject, settingsOf, walk } from '../../shared/elements.ts'
import type { Check, CheckedSubject, Found } from '../checks/model.ts'
import { missingAmong } from './read.ts'
import { namingKeys, partOfMeta, partOfPost, partOfTerms } from './targets.ts'

export const referenceCheck: Check = {
  code: 'broken-reference',
  looksAt: 'record',
  find: async (subject) => {
    const parts = await partsOf(subject)
    const targets = [...new Set(parts.flatMap((part) => [...part.targets]))]
    const missing = await missingAmong(subject.storage, targets)
    if (missing.size === 0) return []
    return parts.flatMap(({ part, targets: named }) =>
      [...named].filter((target) => missing.has(target)).map((target) => foundOf(subject, part, target)),
    )
  },
}

/** The graph of use has the same edges; a transaction, and a release, have newer ones. */
async function partsOf({ post, meta, storage, app }: CheckedSubject) {
  const keys = new Set(namingKeys(app.references))
  const terms = Map.groupBy(await storage.terms.of([post.id]), ({ taxonomy }) => taxonomy)
  return [
    partOfPost(post, app.references),
    ...Object.entries(meta).flatMap(([key, value]) =>
      keys.has(key) ? [partOfMeta(post.id, key, value, app.references)] : [],
    ),
    ...[...terms].map(([taxonomy, list]) =>
      partOfTerms(
        post.id,
        taxonomy,
        list.map(({ term }) => term),
      ),
    ),
  ]
}

function foundOf(subject: CheckedSubject, part: string, target: string): Found {
  const message = `It names ${target}, which is not there.`
  const common = { severity: 'error', about: `${part} ${target}`, message } as const
  if (part === 'row') return { ...common, ...columnOf(subject, target) }
  if (part !== `meta:${elementsKey}`) return { ...common, place: { member: part } }
  const [element] = [...walk(subject.elements)].filter((one) => names(subject, settingsOf(one), target))
  if (!element) return { ...common, place: { member: part } }
  const id = String(element['id'])
  const settings = changedSettings(subject, settingsOf(element), target)
  return {
    ...common,
    place: { element: id },
    ...(settings && { patch: { says: `Takes ${target} out of the element.`, settings: { [id]: settings } } }),
  }
}

function columnOf({ post }: CheckedSubject, target: string): Pick<Found, 'place' | 'patch'> {
  const columns = { featured_media: post.featuredMedia, parent: post.parent }
  const [member] = Object.entries(columns).find(([, id]) => target === `post:${id}`) ?? []
  if (member === undefined) return { place: { member: 'content' } }
  return { place: { member }, patch: { says: `Takes ${target} out.`, members: { [member]: 0 } } }
}

/** Whether these settings, and not those of the elements inside, name the target. */
function names({ post, app }: CheckedSubject, settings: BuilderElement, target: string): boolean {
  const text = JSON.stringify([{ id: 'x', elType: 'widget', settings, elements: [] }])
  return partOfMeta(post.id, elementsKey, text, app.references).targets.has(target)
}

/** The settings that differ without the target; undefined: nothing tells how to take it out. */
function changedSettings(subject: CheckedSubject, settings: BuilderElement, target: string) {
  const changed: { [setting: string]: Json } = {}
  for (const [name, value] of Object.entries(settings)) {
    const after = without(value, target)
    // The cast: settings are JSON.
    if (after !== value) changed[name] = after as Json
  }
  const isGone = Object.keys(changed).length > 0 && !names(subject, { ...settings, ...changed }, target)
  return isGone ? changed : undefined
}

/** A picture becomes an empty one, a class and a global value are left out. */
function without(value: unknown, target: string): unknown {
  const id = target.slice(target.indexOf(':') + 1)
  if (Array.isArray(value)) {
    const rest = value.filter((one) => !(target.startsWith('class:') && one === id))
    const after = rest.map((one) => without(one, target))
    return after.length !== value.length || after.some((one, at) => one !== rest[at]) ? after : value
  }
  if (!isObject(value)) return value
  if (target.startsWith('post:') && String(value['id']) === id && 'url' in value) return { ...value, id: '', url: '' }
  const entries = Object.entries(value).filter(([, inner]) => !isGlobal(inner, target))
  const after = entries.map(([name, inner]) => [name, without(inner, target)] as const)
  const isSame = entries.length === Object.keys(value).length && after.every(([name, inner]) => inner === value[name])
  return isSame ? value : Object.fromEntries(after)
}

const globals: { readonly [kind: string]: string } = lookupTable({ color: 'colors', typography: 'typography' })

const isGlobal = (value: unknown, target: string): boolean => {
  const [kind = '', id = ''] = target.split(':')
  return value === `globals/${globals[kind]}?id=${id}`
}
