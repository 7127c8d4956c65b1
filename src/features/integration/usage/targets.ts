/** Finds the records that a stored value names. Pure functions: the same value names the same records. */
import type { Json, Post } from '../../../contract/storage.ts'
import type { StoredReferences } from '../../../contract/stored-references.ts'
import { attachedFileKey } from '../../../site/post-keys.ts'
import { variableTypes } from '../../builder/variables/model.ts'
import { isObject } from '../../shared/elements.ts'
import type { NamingPart } from './model.ts'

// ---------------------------------------------------------------- posts

/** The columns, and the texts of the post. A revision is a copy: it uses nothing. */
export function partOfPost(post: Post, references: StoredReferences): NamingPart {
  const targets = new Set<string>()
  if (post.featuredMedia > 0) targets.add(`post:${post.featuredMedia}`)
  if (post.parent > 0) targets.add(`post:${post.parent}`)
  for (const text of [post.content, post.excerpt]) addFromText(text, references, targets)
  return { source: `post:${post.id}`, part: 'row', targets }
}

export const partOfTerms = (post: number, taxonomy: string, terms: readonly number[]): NamingPart => ({
  source: `post:${post}`,
  part: `terms:${taxonomy}`,
  targets: new Set(terms.map((term) => `term:${term}`)),
})

export function partOfMeta(post: number, key: string, value: Json, references: StoredReferences): NamingPart {
  const targets = new Set<string>()
  const kind = Object.hasOwn(references.meta, key) ? references.meta[key] : undefined
  if (kind !== undefined && Number(value) > 0) targets.add(`${kind}:${Number(value)}`)
  const embedded = Object.hasOwn(references.embedded, key) ? references.embedded[key] : undefined
  if (embedded && value !== null) {
    embedded.withReferences(value, noteIds(targets))
    addNamed(parsed(value), targets)
  }
  return { source: `post:${post}`, part: `meta:${key}`, targets }
}

/** The meta keys of posts whose values name records. */
export const namingKeys = ({ meta, embedded }: StoredReferences): readonly string[] => [
  ...new Set([...Object.keys(meta), ...Object.keys(embedded)]),
]

const noteIds = (targets: Set<string>) => (kind: string, id: number) => {
  targets.add(`${kind}:${id}`)
  return undefined
}

function addFromText(text: string, { texts }: StoredReferences, targets: Set<string>): void {
  if (text === '') return
  texts?.withReferences(text, noteIds(targets))
  addNamedInText(text, targets)
}

// ---------------------------------------------------------------- options

const postOptions: ReadonlySet<string> = new Set(['page_on_front', 'page_for_posts', 'site_logo', 'site_icon'])
export const classesOption = 'builder_kit_global_classes'
const kitOption = /^builder_kit_/

export const isNamingOption = (name: string): boolean =>
  postOptions.has(name) || name === 'default_category' || kitOption.test(name)

/** The live classes name variables, each as a record; any other option is one record. */
export function partsOfOption(name: string, value: Json): NamingPart[] {
  if (name === classesOption) {
    return Object.entries(liveClasses(value)).map(([id, item]) => partOfValue(`class:${id}`, item))
  }
  if (postOptions.has(name)) return [partOfId(name, 'post', value)]
  if (name === 'default_category') return [partOfId(name, 'term', value)]
  return [partOfValue(`option:${name}`, value)]
}

export const liveClasses = (value: Json | undefined): { readonly [id: string]: unknown } => {
  const live = isObject(value) ? value['live'] : undefined
  const items = isObject(live) ? live['items'] : undefined
  return isObject(items) ? items : {}
}

const partOfId = (option: string, kind: string, value: Json): NamingPart => ({
  source: `option:${option}`,
  part: 'value',
  targets: new Set(Number(value) > 0 ? [`${kind}:${Number(value)}`] : []),
})

function partOfValue(source: string, value: unknown): NamingPart {
  const targets = new Set<string>()
  addNamed(value, targets)
  return { source, part: 'value', targets }
}

// ---------------------------------------------------------------- records with names

const variables: ReadonlySet<unknown> = new Set(variableTypes)
const maxDepth = 200

/** Classes, variables, colors and fonts have names that tell what they are, wherever they are in a value. */
function addNamed(value: unknown, targets: Set<string>, depth = 0): void {
  if (typeof value === 'string') {
    addNamedInText(value, targets)
    return
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return
  if (isObject(value)) addTyped(value, targets)
  for (const inner of Object.values(value)) addNamed(inner, targets, depth + 1)
}

/** `{ "$$type": "classes", "value": ["g-1"] }`: an element names its local classes, which begin with another letter, there too. */
function addTyped({ $$type: type, value }: { readonly [name: string]: unknown }, targets: Set<string>): void {
  if (variables.has(type) && typeof value === 'string') targets.add(`variable:${value}`)
  if (type !== 'classes' || !Array.isArray(value)) return
  for (const name of value) if (typeof name === 'string' && name.startsWith('g-')) targets.add(`class:${name}`)
}

const globalName = /^globals\/(colors|typography)\?id=([\w-]+)$/
const shortcodeName = /(?<!\[)\[([a-z][\w-]*)(?=[\s\]/])/g
const uploadAddress = /\/uploads\/((?:[\w%.~-]+\/){0,8}[\w%.~-]+\.\w{2,5})/g

function addNamedInText(text: string, targets: Set<string>): void {
  const [, kind, id] = globalName.exec(text) ?? []
  if (kind !== undefined) targets.add(`${kind === 'colors' ? 'color' : 'typography'}:${id}`)
  if (text.includes('[')) for (const [, name] of text.matchAll(shortcodeName)) targets.add(`shortcode:${name}`)
  if (text.includes('/uploads/')) {
    for (const [, path = ''] of text.matchAll(uploadAddress)) targets.add(fileRecord(path))
  }
}

/** Copies of a picture have their size in the name: they are the same file. */
const fileRecord = (path: string): string => `file:${path.replace(/-(?:\d+x\d+|scaled)(?=\.\w+$)/, '')}`

/** The file of a medium, as texts name it. */
export const fileOfMeta = (key: string, value: Json): string | undefined =>
  key === attachedFileKey && typeof value === 'string' && value !== '' ? fileRecord(value) : undefined

/** A value of meta may be a JSON text. */
function parsed(value: Json): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
