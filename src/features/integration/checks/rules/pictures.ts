/** Checks the pictures of a record: their alternative texts, and their weight against the place where they are shown. */
import { escapeHtml } from '../../../../core/runtime/escape-html.ts'
import { folderOf } from '../../../content/media/model.ts'
import { isObject, settingsOf, walk } from '../../../shared/elements.ts'
import type { Check, CheckedSubject, Found } from '../model.ts'
import { textIn } from './markup.ts'
import { picturesOf, type ShownMedium, type ShownPicture } from './media.ts'
import { idOfElement, patchOf, placeOf, quoted } from './stored.ts'

export const missingAlternatives: Check = {
  code: 'missing-alt',
  looksAt: 'record',
  find: async (subject) => {
    const found = new Map<string, Found>()
    for (const picture of await picturesOf(subject)) {
      const { tag, src, medium } = picture
      const isUndescribed = subject.elements.length > 0 && medium?.alternative === ''
      if (tag.attributes.has('alt') && !isUndescribed) continue
      const finding = isUndescribed ? undescribed(subject, picture, medium) : withoutAlternative(subject, picture)
      found.set(`${tag.element} ${src}`, finding)
    }
    return [...found.values()]
  },
}

/** Documents take the alternative text from the medium. */
function undescribed(subject: CheckedSubject, picture: ShownPicture, medium: ShownMedium): Found {
  const words = wordsFor(picture)
  return {
    severity: 'warning',
    place: placeOf(subject, picture.src, picture.tag.element),
    about: picture.src,
    message: `The picture ${picture.file} has no alternative text in the media.`,
    ...(words !== '' && {
      patch: { record: `post:${medium.id}`, says: `Describes the medium: ${words}`, members: { alt_text: words } },
    }),
  }
}

function withoutAlternative(subject: CheckedSubject, picture: ShownPicture): Found {
  const words = wordsFor(picture)
  const patch =
    words === ''
      ? undefined
      : patchOf(subject, `Describes the picture: ${words}`, {
          inHtml: new RegExp(`<img(?![^<>]*\\salt\\b)(?=[^<>]*\\ssrc=["']?${quoted(picture.src)})`, 'gi'),
          to: (tag) => `${tag} alt="${escapeHtml(words)}"`,
        })
  const message = `The picture ${picture.file} has no alternative text.`
  const place = placeOf(subject, picture.src, picture.tag.element)
  return { severity: 'error', place, about: picture.src, message, ...(patch && { patch }) }
}

/** Takes the text, the caption or the title of its medium, else the words of its file. */
function wordsFor({ medium, file }: ShownPicture): string {
  const known = [medium?.alternative, medium?.caption].map((text) => textIn(text ?? '')).find((text) => text !== '')
  return known ?? wordsOf(medium && medium.title !== '' ? medium.title : file)
}

/** `harbour-at_dusk-300x200.jpg` is `Harbour at dusk`. */
function wordsOf(name: string): string {
  const words = name
    .replace(/\.\w{2,5}$/, '')
    .replace(/-\d+x\d+$|-scaled$/i, '')
    .replace(/[-_+.\s]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// ---------------------------------------------------------------- weight

/** A picture may be so many times as wide as its place: screens have up to three dots for a pixel. */
const mostTimes = 3
const leastBytes = 100_000

export const pictureWeight: Check = {
  code: 'picture-weight',
  looksAt: 'record',
  find: async (subject) => {
    const found = new Map<string, Found>()
    for (const picture of await picturesOf(subject)) {
      const finding = tooHeavy(subject, picture)
      if (finding) found.set(`${picture.tag.element} ${picture.src}`, finding)
    }
    return [...found.values()]
  },
}

interface PictureFile {
  readonly name: string
  readonly file: string
  readonly width: number
  readonly height: number
  readonly filesize: number
}

function tooHeavy(subject: CheckedSubject, picture: ShownPicture): Found | undefined {
  const { medium, file, src } = picture
  const files = medium ? filesOf(medium) : []
  const loaded = files.find((one) => one.file === file)
  const shown = shownWidth(subject, picture)
  if (!loaded || shown === undefined || loaded.filesize < leastBytes || loaded.width <= shown * mostTimes)
    return undefined
  const kilobytes = Math.round(loaded.filesize / 1000)
  const message = `The picture ${file} is ${loaded.width} pixels wide (${kilobytes} kB), and shown ${shown} pixels wide.`
  const smaller = smallerThan(loaded, files, shown)
  const patch = smaller && smallerPatch(subject, picture, smaller, shown)
  return {
    severity: 'warning',
    place: placeOf(subject, picture.src, picture.tag.element),
    about: src,
    message,
    ...(patch && { patch }),
  }
}

function filesOf({ path = '', details }: ShownMedium): PictureFile[] {
  const { width = 0, height = 0, filesize = 0, sizes = {} } = details
  const own = { name: 'full', file: path.slice(folderOf(path).length), width, height, filesize }
  return [own, ...Object.entries(sizes).map(([name, size]) => ({ ...size, name }))]
}

/** The smallest file of the same form that is sharp there. */
function smallerThan(loaded: PictureFile, files: readonly PictureFile[], shown: number): PictureFile | undefined {
  const form = loaded.height / loaded.width
  return files
    .filter(
      ({ width, height }) => width >= shown * 1.5 && width < loaded.width && Math.abs(height / width - form) < 0.03,
    )
    .toSorted((a, b) => a.width - b.width)[0]
}

function smallerPatch(subject: CheckedSubject, { tag, src, file }: ShownPicture, smaller: PictureFile, shown: number) {
  const says = `Shows ${smaller.file} (${smaller.width} pixels wide).`
  const to = src.replace(/[^/?#]+(?=[?#]|$)/, encodeURIComponent(smaller.file))
  if (tag.element !== undefined && elementAt(subject, tag.element)?.['image']) {
    const settings = { image_size: smaller.name, width: { unit: 'px', size: shown } }
    return { says, settings: { [tag.element]: settings } }
  }
  return file === '' ? undefined : patchOf(subject, says, { inHtml: new RegExp(quoted(src), 'g'), to: () => to })
}

function elementAt({ elements }: CheckedSubject, id: string) {
  for (const element of walk(elements)) if (idOfElement(element) === id) return settingsOf(element)
  return undefined
}

/** The least width in pixels that the tag or its element states; undefined: they state none. */
function shownWidth(subject: CheckedSubject, { tag }: ShownPicture): number | undefined {
  const { attributes, element } = tag
  const inStyle = /(?:^|;)\s*(?:max-)?width:\s*([\d.]+)px/.exec(attributes.get('style') ?? '')?.[1]
  const settings = element === undefined ? undefined : elementAt(subject, element)
  const widths = [
    Number(attributes.get('width')),
    Number(inStyle),
    ...['width', 'space'].map((name) => pixelsIn(settings?.[name])),
  ].filter((width) => width > 0)
  return widths.length > 0 ? Math.round(Math.min(...widths)) : undefined
}

const pixelsIn = (value: unknown): number => (isObject(value) && value['unit'] === 'px' ? Number(value['size']) : 0)
