/** Writes the metadata of a picture in the members of `image_meta`. The camera is not among them: uploads lose its name. */
import type { Json } from '../../../contract/storage.ts'
import type { ImageTexts } from '../../../services/images.ts'
import type { PictureFacts } from '../../../services/picture-data/index.ts'

export type ImageMeta = { readonly [member: string]: Json }

/** Interface: all members, where the file says nothing. */
export const emptyImageMeta: ImageMeta = {
  ...{ aperture: '0', credit: '', camera: '', caption: '', created_timestamp: '0', copyright: '' },
  ...{ focal_length: '0', iso: '0', shutter_speed: '0', title: '', orientation: '0', keywords: [] },
}

/** The members that the file says something about, as they are stored. Undefined: none. */
export function imageMetaOf(facts: PictureFacts): ImageMeta | undefined {
  const { title, description, creator, credit = creator, copyright, keywords, orientation } = facts
  const { aperture, created, focalLength, iso, exposureSeconds } = facts
  const members = {
    ...{ aperture: numberText(aperture), credit, caption: description, created_timestamp: numberText(created) },
    ...{ copyright, focal_length: numberText(focalLength), iso: numberText(iso) },
    ...{ shutter_speed: numberText(exposureSeconds), title, orientation: numberText(orientation), keywords },
  }
  const known = Object.entries(members).filter(([, value]) => value !== undefined)
  // The cast: undefined members are left out.
  return known.length === 0 ? undefined : (Object.fromEntries(known) as ImageMeta)
}

/** Interface: numbers are texts. */
const numberText = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(Math.round(value * 1e6) / 1e6)

/** The words that each copy of a picture has too. */
export function copyTexts({ copyright, creator, description }: PictureFacts): ImageTexts {
  return {
    ...(copyright === undefined ? {} : { copyright }),
    ...(creator === undefined ? {} : { creator }),
    ...(description === undefined ? {} : { description }),
  }
}

/** Returns the same words from the stored members. */
export function storedTexts(meta: ImageMeta | undefined): ImageTexts {
  const text = (member: string) => (typeof meta?.[member] === 'string' ? (meta[member] as string) : undefined)
  const [copyright, creator, description] = [text('copyright'), text('credit'), text('caption')]
  // The cast: members that are undefined are left out.
  return copyTexts({ copyright, creator, description } as PictureFacts)
}
