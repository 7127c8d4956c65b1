/** Converts typed smilies to emoji, between blanks or at the ends of a text, and outside of code. */
import { lookupTable } from '../../contract/lookup-table.ts'
import { tokenize } from '../../html/tokenize.ts'

/** The smilies of each emoji: a name between colons, or signs with and without a nose. */
const SIGNS_OF_EMOJI: { readonly [emoji: string]: readonly string[] } = lookupTable({
  '😐': [':neutral:', ':-|', ':|'],
  '😈': [':twisted:'],
  '➡': [':arrow:'],
  '😯': [':shock:', '8-O', '8O'],
  '🙂': [':smile:', ':-)', ':)'],
  '😕': [':???:', ':-?', ':?'],
  '😎': [':cool:', '8-)'],
  '👿': [':evil:'],
  '😀': [':grin:', ':-D', ':D'],
  '💡': [':idea:'],
  '😳': [':oops:'],
  '😛': [':razz:', ':-P', ':P'],
  '😉': [':wink:', ';-)', ';)'],
  '😥': [':cry:'],
  '🙄': [':roll:'],
  '😮': [':eek:', ':-o', ':o'],
  '😆': [':lol:'],
  '😡': [':mad:', ':-x', ':x'],
  '🙁': [':sad:', ':-(', ':('],
  '❗': [':!:'],
  '❓': [':?:'],
})

const FACES: ReadonlyMap<string, string> = new Map(
  Object.entries(SIGNS_OF_EMOJI).flatMap(([emoji, faces]) => faces.map((face) => [face, emoji] as const)),
)

const LONGEST_FACE = Math.max(...[...FACES.keys()].map((face) => face.length))

/** The text of these elements stays as typed. */
const CLOSED_ELEMENTS: ReadonlySet<string> = new Set(['code', 'pre', 'script', 'style', 'textarea'])

const FIRST_SIGNS = [':', ';', '8'] as const
const IN_FRONT_OF_FACE = /[\s;>]/

/** The cost is linear in the length of the text. */
export function faces(html: string): string {
  if (!mayHoldFace(html)) return html
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

/** Skips texts whose signs occur only in references such as `&#8220;`, which typeset texts contain often. */
const mayHoldFace = (html: string): boolean => FIRST_SIGNS.some((sign) => mayBeginFace(html, sign))

function mayBeginFace(html: string, sign: string): boolean {
  for (let at = html.indexOf(sign); at !== -1; at = html.indexOf(sign, at + 1)) {
    if (at === 0 || IN_FRONT_OF_FACE.test(html.charAt(at - 1))) return true
  }
  return false
}

function facesOfText(text: string): string {
  let out = ''
  let copied = 0
  for (let start = 0; start < text.length; start = endOfWord(text, start) + 1) {
    if (!mayStartFace(text.charCodeAt(start))) continue
    const end = endOfWord(text, start)
    const face = end - start > LONGEST_FACE ? '' : text.slice(start, end)
    const emoji = FACES.get(face)
    if (emoji === undefined) continue
    out += text.slice(copied, start) + emoji
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

/** Accepts the non-breaking blank too. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160
