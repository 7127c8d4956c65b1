/** The words and numbers that a picture has about itself, from EXIF, IPTC and XMP. */

/** The words and numbers of one block of metadata. Members that are absent are not in it. */
export interface PictureFacts {
  readonly title?: string
  readonly description?: string
  readonly alternative?: string
  readonly creator?: string
  readonly credit?: string
  readonly copyright?: string
  readonly keywords?: readonly string[]
  /** A number of EXIF: 1 to 8. */
  readonly orientation?: number
  /** Seconds since 1970, as if the clock of the camera had shown UTC. */
  readonly created?: number
  readonly aperture?: number
  readonly focalLength?: number
  readonly iso?: number
  readonly exposureSeconds?: number
}

const longestText = 8000
const longestKeyword = 200
const mostKeywords = 100

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const western = new TextDecoder('windows-1252')

/** UTF-8 where the bytes are, else the letters of older programs. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return western.decode(bytes)
  }
}

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A text without signs that storages refuse; undefined for an empty one, and for one that only names the camera. */
export function wordsOf(text: string | undefined, longest = longestText): string | undefined {
  if (text === undefined) return undefined
  const clean = text.slice(0, longest).replace(controls, '').replace(loneSurrogate, '\ufffd').trim()
  return clean === '' || namesDevice(clean) ? undefined : clean
}

export function keywordsOf(texts: readonly string[]): readonly string[] | undefined {
  const words = texts.slice(0, mostKeywords).flatMap((text) => wordsOf(text, longestKeyword) ?? [])
  return words.length === 0 ? undefined : [...new Set(words)]
}

/**
 * Cameras write their name, or the path on their card, where a description belongs. Programs of telephones write settings of the camera
 * as JSON.
 */
const deviceTexts = [
  /^(?:[A-Z][\w-]* ){0,3}(?:DIGITAL (?:STILL )?CAMERA|DSC)$/,
  /^(?:[a-z]:)?[\\/]?DCIM[\\/]/i,
  /^(?:\{.*\}|\[\s*\{.*\}\s*\])$/s,
  /^exif_jpeg(?:_\w+)?$/i,
]

const namesDevice = (text: string): boolean => deviceTexts.some((pattern) => pattern.test(text.trim()))

const longestRemark = 4096

/** Words for places and devices, and two numbers as coordinates have them. */
const tellingRemark =
  /\b(?:gps|latitude|longitude|geo|imei|serial|s\/n|camera|firmware|phone)|°|[-+]?\d{1,3}\.\d{3,}\s*[,;/ ]\s*[-+]?\d{1,3}\.\d{3,}/i

/**
 * A comment has no field that tells its purpose: it is a remark of a person, or of the program that wrote the file.
 *
 * `Choice:` comments in JPEG, PNG and GIF files stay, unless they are no text or have words for a place or a device in them.
 */
export function isHarmless(remark: Uint8Array): boolean {
  if (remark.length > longestRemark) return false
  const text = decodeText(remark).replace(/\0+$/, '')
  return !namesDevice(text) && !tellingRemark.test(text) && text.search(controls) === -1
}

/** The first block that says something wins. */
export function mergedFacts(all: readonly PictureFacts[]): PictureFacts {
  const merged: { [name: string]: unknown } = {}
  for (const facts of all) {
    for (const [name, value] of Object.entries(facts)) if (value !== undefined) merged[name] ??= value
  }
  // The cast: the members are those of the blocks.
  return merged as PictureFacts
}

/** The first thing that is said under one of several names. */
export function firstOf<T>(names: readonly T[], read: (name: T) => string | undefined): string | undefined {
  for (const name of names) {
    const words = read(name)
    if (words !== undefined) return words
  }
  return undefined
}
