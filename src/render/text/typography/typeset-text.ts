/** Sets one piece of text without tags. Each end of the piece counts as a neighbour after which quotes open. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { endOfReference, escapeAmpersands } from './references.ts'
import { APOSTROPHE_WORDS, isBlank, isDigit, isLetter, opensAfter, SIGNS, type Work } from './signs.ts'

interface Line {
  readonly text: string
  readonly work: Work
  /** The output up to the last double quote after a digit, which is set once the rest of its phrase is known. */
  readonly parts: string[]
  /** The output after the parts. */
  out: string
  /** The offset after the last text that counts as a blank, such as a written `&nbsp;`. */
  openEnd: number
  /** The offset after the last two-digit year (`'90`): a quote there closes and is no inch sign. */
  yearEnd: number
  isSingleOpen: boolean
  phrase: Phrase
}

/** The text that begins with a double quote and ends before the next one. */
interface Phrase {
  readonly isOpened: boolean
  /** The offset behind its opening quote. */
  readonly start: number
  /** Whether the phrase contains a sign that can only be a closing quote. */
  isClosed: boolean
  /** Indexes in the parts of the double quotes after digits. */
  readonly behindDigits: number[]
}

/** Writes the replacement of the sign at `at`, and returns the offset after it. */
type Writer = (line: Line, at: number) => number

const WRITERS: { readonly [sign: string]: Writer } = lookupTable({
  '"': doubleQuote,
  "'": apostrophe,
  '`': accent,
  '&': ampersand,
  '-': hyphen,
  '.': period,
  '(': bracket,
  '<': loneLessThan,
  ...Object.fromEntries(Array.from('0123456789', (digit) => [digit, digits])),
})

const STARTS_WRITER: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  Object.hasOwn(WRITERS, String.fromCharCode(code)),
)

/** Returns the typeset form of a part of the source; undefined when nothing changes. */
export function typesetText(source: string, start: number, end: number, work: Work): string | undefined {
  work.steps += end - start
  if (!mayChange(source, start, end)) return undefined
  const text = source.slice(start, end)
  const line = createLine(text, work)
  let at = 0
  while (at < text.length) {
    const next = nextSign(text, at)
    if (next > at) line.out += text.slice(at, next)
    at = next < text.length ? (WRITERS[text[next] as string] as Writer)(line, next) : next
  }
  settlePhrase(line)
  return line.parts.length === 0 ? line.out : line.parts.join('') + line.out
}

/** Most texts contain none of these signs, and are not copied. */
function mayChange(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const hint = HINTS[text.charCodeAt(at)]
    if (hint !== undefined && (hint === '' || (at + hint.length <= end && isHinted(text, at, hint)))) return true
  }
  return false
}

/** A sign that may change by itself, or the text that it has to begin; an `x` has to be between digits. */
const HINTS: readonly (string | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code)
  return { '.': '...', '(': '(tm)', x: 'x' }[sign] ?? (`"'\`&<-`.includes(sign) ? '' : undefined)
})

const isHinted = (text: string, at: number, hint: string): boolean =>
  hint === 'x' ? isDigit(text[at - 1]) && isDigit(text[at + 1]) : text.startsWith(hint, at)

const createLine = (text: string, work: Work): Line => ({
  text,
  work,
  parts: [],
  out: '',
  openEnd: -1,
  yearEnd: -1,
  isSingleOpen: false,
  phrase: phrase(),
})

function nextSign(text: string, from: number): number {
  let at = from
  while (at < text.length && STARTS_WRITER[text.charCodeAt(at)] !== true) at += 1
  return at
}

const phrase = (start?: number): Phrase => ({
  isOpened: start !== undefined,
  start: start ?? 0,
  isClosed: false,
  behindDigits: [],
})

/** In an open phrase without another end, the first sign after a digit is its end; all others are inches. */
function settlePhrase({ parts, phrase: { isOpened, isClosed, behindDigits } }: Line): void {
  behindDigits.forEach((index, order) => {
    parts[index] = order === 0 && isOpened && !isClosed ? SIGNS.closeDouble : SIGNS.inches
  })
}

const isBlankBefore = ({ text, openEnd }: Line, at: number): boolean =>
  at === 0 || at === openEnd || isBlank(text[at - 1])

const startsBlank = (text: string, at: number): boolean => isBlank(text[at]) || text.startsWith('&nbsp;', at)

const isBlankBehind = ({ text }: Line, end: number): boolean => end >= text.length || startsBlank(text, end)

const opensHere = (line: Line, at: number): boolean =>
  isBlankBefore(line, at) || opensAfter(line.text[at - 1] as string)

function write(line: Line, sign: string, end: number): number {
  line.out += sign
  return end
}

function doubleQuote(line: Line, at: number): number {
  if (opensHere(line, at) && !startsBlank(line.text, at + 1)) {
    settlePhrase(line)
    line.phrase = phrase(at + 1)
    return write(line, SIGNS.openDouble, at + 1)
  }
  if (isQuotedNumber(line, at)) {
    line.phrase = phrase()
    return write(line, SIGNS.closeDouble, at + 1)
  }
  if (isDigit(line.text[at - 1]) && at !== line.yearEnd) {
    line.parts.push(line.out, '')
    line.out = ''
    line.phrase.behindDigits.push(line.parts.length - 1)
    return at + 1
  }
  line.phrase.isClosed = true
  return write(line, SIGNS.closeDouble, at + 1)
}

const QUOTED_NUMBER = /^\d[\d.,]*$/
/** Longer ones are no numbers of a text, and would be read again for each quote behind them. */
const longestNumber = 24

/** Interface: a phrase that is a number, such as `"24"`, ends with it, whatever follows. */
function isQuotedNumber({ text, phrase: { isOpened, start } }: Line, at: number): boolean {
  return isOpened && at - start <= longestNumber && QUOTED_NUMBER.test(text.slice(start, at))
}

function apostrophe(line: Line, at: number): number {
  const { text } = line
  if (text[at + 1] === "'") return write(line, SIGNS.closeDouble, at + 2)
  if (isYear(text, at + 1)) {
    line.yearEnd = at + 3
    return write(line, SIGNS.apostrophe, at + 1)
  }
  if (isDigit(text[at - 1])) return write(line, behindDigit(line, at), at + 1)
  if (APOSTROPHE_WORDS.some((word) => text.startsWith(word, at + 1))) return write(line, SIGNS.apostrophe, at + 1)
  if (opensHere(line, at) || text[at - 1] === '"') {
    line.isSingleOpen = true
    return write(line, SIGNS.openSingle, at + 1)
  }
  return write(line, behindWord(line, at), at + 1)
}

/** Matches two digits that no third one follows. */
const isYear = (text: string, at: number): boolean =>
  isDigit(text[at]) && isDigit(text[at + 1]) && !isDigit(text[at + 2])

function behindDigit(line: Line, at: number): string {
  const next = line.text[at + 1]
  if (isDigit(next) || isLetter(next)) return SIGNS.apostrophe
  if (!line.isSingleOpen && at !== line.yearEnd) return SIGNS.feet
  line.isSingleOpen = false
  return SIGNS.apostrophe
}

function behindWord(line: Line, at: number): string {
  const next = line.text[at + 1] ?? ''
  // Interface: between a word and a double quote or an opening bracket the sign stays as typed.
  if (next === '"' || next === '(' || next === '[' || next === '{') return "'"
  if (!isDigit(next) && !isLetter(next)) line.isSingleOpen = false
  return SIGNS.apostrophe
}

function accent(line: Line, at: number): number {
  return line.text[at + 1] === '`' ? write(line, SIGNS.openDouble, at + 2) : write(line, '`', at + 1)
}

function ampersand(line: Line, at: number): number {
  const end = endOfReference(line.text, at, line.work)
  if (end === at) return write(line, SIGNS.ampersand, at + 1)
  const reference = line.text.slice(at, end)
  if (reference === '&nbsp;' || reference === '&#160;') line.openEnd = end
  return write(line, reference, end)
}

function hyphen(line: Line, at: number): number {
  const { text } = line
  if (text.startsWith('---', at)) return write(line, SIGNS.emDash, at + 3)
  const length = text[at + 1] === '-' ? 2 : 1
  const isFree = isBlankBefore(line, at) && isBlankBehind(line, at + length)
  if (length === 1) return write(line, isFree ? SIGNS.enDash : '-', at + 1)
  // `xn--` marks the labels of international domain names (RFC 5890).
  if (text.startsWith('xn', at - 2)) return write(line, '--', at + 2)
  return write(line, isFree ? SIGNS.emDash : SIGNS.enDash, at + 2)
}

function period(line: Line, at: number): number {
  return line.text.startsWith('...', at) ? write(line, SIGNS.ellipsis, at + 3) : write(line, '.', at + 1)
}

function bracket(line: Line, at: number): number {
  const isSign = line.text.startsWith('(tm)', at) && at > 0 && isBlankBefore(line, at)
  return isSign ? write(line, SIGNS.trademark, at + 4) : write(line, '(', at + 1)
}

/** Reads digits, and further digits after an `x`, as one: `2x4` is a measure; `2x4x6`, `2x4m`, `a2x4` and `0x4` are none. */
function digits(line: Line, at: number): number {
  const { text } = line
  const firstEnd = endOfDigits(text, at)
  let end = firstEnd
  let factors = 1
  while (text[end] === 'x' && isDigit(text[end + 1])) {
    end = endOfDigits(text, end + 1)
    factors += 1
  }
  line.work.steps += end - at
  if (factors !== 2 || isLetter(text[end]) || isLetter(text[at - 1]) || isHexadecimalPrefix(text, at, firstEnd)) {
    return write(line, text.slice(at, end), end)
  }
  return write(line, text.slice(at, firstEnd) + SIGNS.times + text.slice(firstEnd + 1, end), end)
}

const isHexadecimalPrefix = (text: string, at: number, end: number): boolean =>
  end === at + 1 && text[at] === '0' && text[at - 1] !== '.' && text[at - 1] !== ','

function endOfDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text[at])) at += 1
  return at
}

/**
 * Interface: after a `<` that starts no tag all text stays as typed, up to the next `>`, which then counts as the end of a tag.
 */
function loneLessThan(line: Line, at: number): number {
  const close = line.text.indexOf('>', at)
  const end = close === -1 ? line.text.length : close + 1
  line.openEnd = end
  return write(line, escapeAmpersands(line.text.slice(at, end), line.work), end)
}
