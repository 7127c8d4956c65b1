/** Faces typed with signs become emoji. Only between blanks or at the ends of a text, and not in code. */
import { tokenize } from '../../html/tokens.ts'

const FACES: Readonly<Record<string, string>> = {
  ...{
    ':neutral:': '😐',
    ':twisted:': '😈',
    ':arrow:': '➡',
    ':shock:': '😯',
    ':smile:': '🙂',
    ':???:': '😕',
    ':cool:': '😎',
  },
  ...{ ':evil:': '👿', ':grin:': '😀', ':idea:': '💡', ':oops:': '😳', ':razz:': '😛', ':wink:': '😉', ':cry:': '😥' },
  ...{ ':eek:': '😮', ':lol:': '😆', ':mad:': '😡', ':sad:': '🙁', ':!:': '❗', ':?:': '❓', '8-)': '😎', '8-O': '😯' },
  ...{
    ':-(': '🙁',
    ':-)': '🙂',
    ':-?': '😕',
    ':-D': '😀',
    ':-P': '😛',
    ':-o': '😮',
    ':-x': '😡',
    ':-|': '😐',
    ';-)': '😉',
  },
  ...{
    '8O': '😯',
    ':(': '🙁',
    ':)': '🙂',
    ':?': '😕',
    ':D': '😀',
    ':P': '😛',
    ':o': '😮',
    ':x': '😡',
    ':|': '😐',
    ';)': '😉',
  },
}

const LONGEST_FACE = Math.max(...Object.keys(FACES).map((face) => face.length))

/** Text in these stays as typed. */
const CLOSED_ELEMENTS: ReadonlySet<string> = new Set(['code', 'pre', 'script', 'style', 'textarea'])

/** Where a face may begin: not within a reference such as `&#8220;`, of which typeset texts are full. */
const MAY_HOLD_FACE = /(?:^|[\s;>])[:;8]/

/** The cost is linear in the length of the text. */
export function faces(html: string): string {
  if (!MAY_HOLD_FACE.test(html)) return html
  const parts: string[] = []
  const closed: string[] = []
  for (const token of tokenize(html)) {
    const source = html.slice(token.start, token.end)
    if (token.kind === 'open' && CLOSED_ELEMENTS.has(token.lowerName)) closed.push(token.lowerName)
    if (token.kind === 'close' && closed.at(-1) === token.lowerName) closed.pop()
    parts.push(token.kind === 'text' && closed.length === 0 ? facesOfText(source) : source)
  }
  return parts.join('')
}

function facesOfText(text: string): string {
  let out = ''
  let copied = 0
  for (let start = 0; start < text.length; start = endOfWord(text, start) + 1) {
    if (!mayStartFace(text.charCodeAt(start))) continue
    const end = endOfWord(text, start)
    const face = end - start > LONGEST_FACE ? '' : text.slice(start, end)
    if (!Object.hasOwn(FACES, face)) continue
    out += text.slice(copied, start) + FACES[face]
    copied = end
  }
  return out + text.slice(copied)
}

const mayStartFace = (code: number): boolean => code === 58 || code === 59 || code === 56

function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && !isBlank(text.charCodeAt(end))) end += 1
  return end
}

/** Also the non-breaking blank. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160
