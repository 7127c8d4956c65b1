/** Reads the pictures that a record shows, with the media that they are. */
import { type MediumFileMeta, nameOf, readFileMeta } from '../../../content/media/model.ts'
import { isObject, settingsOf, walk } from '../../../shared/elements.ts'
import type { CheckedSubject } from '../model.ts'
import { type DrawnTag, tagsIn } from './markup.ts'
import { idOfElement } from './stored.ts'

export interface ShownPicture {
  readonly tag: DrawnTag
  readonly src: string
  /** The name of the file of `src`. */
  readonly file: string
  /** Undefined: it is no medium of the site, or nothing tells which one. */
  readonly medium: ShownMedium | undefined
}

export interface ShownMedium extends MediumFileMeta {
  readonly id: number
  readonly title: string
  readonly caption: string
}

const kept = new WeakMap<CheckedSubject, Promise<readonly ShownPicture[]>>()

export function picturesOf(subject: CheckedSubject): Promise<readonly ShownPicture[]> {
  const pictures = kept.get(subject) ?? readPictures(subject)
  kept.set(subject, pictures)
  return pictures
}

async function readPictures(subject: CheckedSubject): Promise<ShownPicture[]> {
  const tags = tagsIn(await subject.html(), ['img']).filter(({ attributes }) => (attributes.get('src') ?? '') !== '')
  const named = mediaInElements(subject)
  const ids = tags.map(
    ({ attributes, element }) => idInClass(attributes.get('class') ?? '') ?? named.get(element ?? ''),
  )
  const media = await mediaOf(subject, [...new Set(ids.flatMap((id) => id ?? []))])
  return tags.map((tag, at) => {
    const src = tag.attributes.get('src') ?? ''
    return { tag, src, file: fileIn(src), medium: media.get(ids[at] ?? 0) }
  })
}

/** Renderers name the medium of a picture in a class. */
function idInClass(classes: string): number | undefined {
  const [, id] = /(?:^|\s)\w+-image-(\d{1,15})(?:\s|$)/.exec(classes) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Finds the medium that the settings of an element name, by element. */
function mediaInElements({ elements }: CheckedSubject): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const element of walk(elements)) {
    const { image } = settingsOf(element)
    const id = isObject(image) ? Number(image['id']) : 0
    const own = idOfElement(element)
    if (own !== undefined && id > 0) found.set(own, id)
  }
  return found
}

function fileIn(src: string): string {
  const path = src.replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(nameOf(path))
  } catch {
    return nameOf(path)
  }
}

async function mediaOf({ storage }: CheckedSubject, ids: readonly number[]): Promise<ReadonlyMap<number, ShownMedium>> {
  if (ids.length === 0) return new Map()
  const [posts, fileOf] = await Promise.all([storage.posts.read([...ids]), readFileMeta(storage, ids)])
  return new Map(
    posts
      .filter(({ type }) => type === 'attachment')
      .map(({ id, title, excerpt }) => [id, { ...fileOf(id), id, title, caption: excerpt }]),
  )
}
