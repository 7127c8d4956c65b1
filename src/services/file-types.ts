/**
 * Which files a site takes, and what a file is: its content decides over its name and its declared type. Formats in which a
 * browser runs scripts (HTML, SVG, XML) are not among them.
 */
import { detectImage } from './image-type.ts'

interface FileType {
  readonly type: string
  /** The first one is given to files of this type whose name has another one. */
  readonly extensions: readonly string[]
  /** Bytes that a file of this type has; `text` for readable text. Absent: nothing is known about them. */
  readonly signature?: 'text' | readonly (readonly [offset: number, bytes: string])[]
}

const at = (offset: number, bytes: string) => [offset, bytes] as const
const zip = [at(0, 'PK\x03\x04'), at(0, 'PK\x05\x06')]
const ole = [at(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')]
const ebml = [at(0, '\x1a\x45\xdf\xa3')]
const iso = [at(4, 'ftyp')]
const ogg = [at(0, 'OggS')]
const openDocument = 'application/vnd.oasis.opendocument'
const openXml = 'application/vnd.openxmlformats-officedocument'

const otherTypes: readonly FileType[] = [
  { type: 'application/pdf', extensions: ['pdf'], signature: [at(0, '%PDF-')] },
  { type: 'text/plain', extensions: ['txt', 'asc', 'c', 'cc', 'h', 'srt'], signature: 'text' },
  { type: 'text/csv', extensions: ['csv'], signature: 'text' },
  { type: 'text/tab-separated-values', extensions: ['tsv'], signature: 'text' },
  { type: 'text/calendar', extensions: ['ics'], signature: 'text' },
  { type: 'text/richtext', extensions: ['rtx'], signature: 'text' },
  { type: 'text/vtt', extensions: ['vtt'], signature: 'text' },
  { type: 'application/rtf', extensions: ['rtf'], signature: [at(0, '{\\rtf')] },
  { type: 'application/zip', extensions: ['zip'], signature: zip },
  { type: 'application/x-gzip', extensions: ['gz', 'gzip'], signature: [at(0, '\x1f\x8b')] },
  { type: 'application/rar', extensions: ['rar'], signature: [at(0, 'Rar!\x1a\x07')] },
  { type: 'application/x-7z-compressed', extensions: ['7z'], signature: [at(0, '7z\xbc\xaf\x27\x1c')] },
  { type: 'application/x-tar', extensions: ['tar'], signature: [at(257, 'ustar')] },
  { type: 'application/msword', extensions: ['doc'], signature: ole },
  { type: 'application/vnd.ms-excel', extensions: ['xls', 'xla', 'xlt', 'xlw'], signature: ole },
  { type: 'application/vnd.ms-powerpoint', extensions: ['ppt', 'pot', 'pps'], signature: ole },
  { type: `${openXml}.wordprocessingml.document`, extensions: ['docx'], signature: zip },
  { type: `${openXml}.spreadsheetml.sheet`, extensions: ['xlsx'], signature: zip },
  { type: `${openXml}.presentationml.presentation`, extensions: ['pptx'], signature: zip },
  { type: `${openXml}.presentationml.slideshow`, extensions: ['ppsx'], signature: zip },
  { type: `${openDocument}.text`, extensions: ['odt'], signature: zip },
  { type: `${openDocument}.spreadsheet`, extensions: ['ods'], signature: zip },
  { type: `${openDocument}.presentation`, extensions: ['odp'], signature: zip },
  { type: `${openDocument}.graphics`, extensions: ['odg'], signature: zip },
  { type: 'application/epub+zip', extensions: ['epub'], signature: zip },
  { type: 'audio/mpeg', extensions: ['mp3', 'm4b'], signature: [at(0, 'ID3'), at(0, '\xff\xfb'), at(0, '\xff\xf3')] },
  { type: 'audio/mp4', extensions: ['m4a'], signature: iso },
  { type: 'audio/aac', extensions: ['aac'], signature: [at(0, '\xff\xf1'), at(0, '\xff\xf9')] },
  { type: 'audio/wav', extensions: ['wav'], signature: [at(8, 'WAVE')] },
  { type: 'audio/ogg', extensions: ['ogg', 'oga'], signature: ogg },
  { type: 'audio/flac', extensions: ['flac'], signature: [at(0, 'fLaC')] },
  { type: 'audio/midi', extensions: ['mid', 'midi'], signature: [at(0, 'MThd')] },
  { type: 'video/mp4', extensions: ['mp4', 'm4v'], signature: iso },
  { type: 'video/quicktime', extensions: ['mov', 'qt'], signature: [...iso, at(4, 'moov'), at(4, 'mdat')] },
  { type: 'video/webm', extensions: ['webm'], signature: ebml },
  { type: 'video/x-matroska', extensions: ['mkv'], signature: ebml },
  { type: 'video/ogg', extensions: ['ogv'], signature: ogg },
  { type: 'video/avi', extensions: ['avi'], signature: [at(8, 'AVI ')] },
  {
    type: 'video/mpeg',
    extensions: ['mpeg', 'mpg', 'mpe'],
    signature: [at(0, '\x00\x00\x01\xba'), at(0, '\x00\x00\x01\xb3')],
  },
  { type: 'video/3gpp', extensions: ['3gp', '3gpp'], signature: iso },
]

const imageTypes: readonly FileType[] = [
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg', 'jpe'] },
  { type: 'image/png', extensions: ['png'] },
  { type: 'image/gif', extensions: ['gif'] },
  { type: 'image/webp', extensions: ['webp'] },
  { type: 'image/avif', extensions: ['avif'] },
  { type: 'image/heic', extensions: ['heic'] },
  { type: 'image/heif', extensions: ['heif', 'hif'] },
  { type: 'image/bmp', extensions: ['bmp'] },
]

/** Image types that uploads may not have, but imported files may. */
const foreignImages = ['image/svg+xml', 'image/tiff', 'image/x-icon', 'image/jxl']

const allTypes = [...imageTypes, ...otherTypes]

/** The types of files that a site may have, by the part before the slash. */
export const knownTypes: readonly string[] = [...allTypes.map(({ type }) => type), ...foreignImages]

const byExtension: ReadonlyMap<string, FileType> = new Map(
  allTypes.flatMap((entry) => entry.extensions.map((extension) => [extension, entry] as const)),
)

interface DetectedFile {
  readonly type: string
  /** The type of the name, if it fits the content. */
  readonly extension: string
}

/** Undefined for a file that a site does not take: an unknown or missing extension, or content that the name denies. */
export function detectFile(name: string, head: Uint8Array): DetectedFile | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = byExtension.get(extension)
  if (named === undefined) return undefined
  const image = detectImage(head)
  if (named.type.startsWith('image/')) {
    if (image === undefined) return undefined
    return image.type === named.type ? { type: named.type, extension } : image
  }
  return image === undefined && hasSignature(named, head) ? { type: named.type, extension } : undefined
}

function hasSignature({ signature }: FileType, head: Uint8Array): boolean {
  if (signature === 'text') return isText(head) && !isMarkup(head)
  // Content of an unknown type may not contain scripts.
  if (signature === undefined) return !isMarkup(head)
  return signature.some(([offset, bytes]) =>
    [...bytes].every((byte, index) => head[offset + index] === byte.charCodeAt(0)),
  )
}

const isText = (head: Uint8Array): boolean => !head.includes(0)

const latin1 = new TextDecoder('latin1')
/** Markup by which a browser or a server takes a file for a program. */
const markup = /<(?:\?(?:php|=|xml)|!doctype|script|html|svg|iframe|body|head|meta|%)/i

const isMarkup = (head: Uint8Array): boolean => markup.test(latin1.decode(head))

/** The type by which a file is served; undefined for a file that browsers must not show on the site's own address. */
export function shownType(path: string): string | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  if (extension === 'css') return 'text/css; charset=UTF-8'
  const type = byExtension.get(extension)?.type
  if (type === undefined) return undefined
  if (type === 'text/plain' || type === 'text/vtt') return `${type}; charset=UTF-8`
  return /^(?:image|audio|video)\//.test(type) || type === 'application/pdf' ? type : undefined
}

/** The type of a file by its name, for downloads. A page shows a drawing as a picture only under its type. */
export function typeOfName(path: string): string {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return extension === 'svg' ? 'image/svg+xml' : (byExtension.get(extension)?.type ?? 'application/octet-stream')
}
