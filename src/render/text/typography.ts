/**
 * Typographic signs for what people type: curly quotes, primes, dashes, ellipses, multiplication signs. Inside tags,
 * comments and code everything stays as it is.
 */
import { mapMarkup } from './markup.ts'

/** Elements whose text is code. Names are compared as written, in lower case. */
const CODE: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt'])

/** Text without any of these has nothing to set. */
const SPECIAL = /[-'"`&]|\.\.\.| \(tm\)|\dx\d/
const LONE_AMPERSAND = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi

export function typeset(text: string): string {
  if (!SPECIAL.test(text)) return text
  const open: string[] = []
  return mapMarkup(
    text,
    (plain) => (open.length === 0 && SPECIAL.test(plain) ? typesetText(plain) : plain),
    (markup) => (markup.startsWith('<!--') ? markup : typesetTag(markup, open)),
  )
}

function typesetTag(tag: string, open: string[]): string {
  const isClosing = tag[1] === '/'
  const escaped = tag.includes('&') ? tag.replace(LONE_AMPERSAND, '&#038;') : tag
  const space = escaped.indexOf(' ')
  const name = escaped.slice(isClosing ? 2 : 1, space === -1 ? -1 : space)
  if (!CODE.has(name)) return escaped
  if (!isClosing) open.push(name)
  else if (open.at(-1) === name) open.pop()
  return escaped
}

/** Fixed texts. Words that start with an apostrophe come in the order in which the longer one wins. */
const FIXED: Readonly<Record<string, string>> = {
  '...': '&#8230;',
  '``': '&#8220;',
  "''": '&#8221;',
  ' (tm)': ' &#8482;',
}
const FIXED_TEXT = /\.\.\.|``|''| \(tm\)|'tain't|'(?:twere|twas|tis|twill|til|bout|nuff|round|cause|em)/g

function typesetText(text: string): string {
  let set = text.replace(FIXED_TEXT, (found) => FIXED[found] ?? found.replaceAll("'", '&#8217;'))
  if (set.includes("'")) set = singleQuotes(set)
  if (set.includes('"')) set = doubleQuotes(set)
  if (set.includes('-')) set = dashes(set)
  if (set.includes('x')) set = timesSigns(set)
  return set.includes('&') ? set.replace(LONE_AMPERSAND, '&#038;') : set
}

// Patterns name the sign first and look behind it then: an engine finds a sign much faster than a place between signs.
const SPACE = '[\\r\\n\\t \\u00a0]|&nbsp;'
/** What may stand behind a closing quote. */
const END = `(?=$|[.,:;!?)}\\-\\]]|&gt;|${SPACE})`

// Signs that are decided but not yet written, so that later rules do not take them for text. They are no characters.
const APOSTROPHE = '\ufdd0'
const OPEN_SINGLE = '\ufdd1'
const OPEN_DOUBLE = '\ufdd2'
const CANDIDATE = '\ufdd3'

type Rules = readonly (readonly [RegExp, string])[]

const SINGLE_AT_NUMBERS: Rules = [
  // An abbreviated year at the end of a quotation.
  [new RegExp(`'(\\d\\d)'${END}`, 'g'), `${APOSTROPHE}$1&#8217;`],
  [new RegExp(`'(\\d\\d)"${END}`, 'g'), `${APOSTROPHE}$1&#8221;`],
  // A year, but never one digit, a percentage, three digits or a decimal.
  [/'(?=\d\d(?:$|(?![%\d]|[.,]\d)))/g, APOSTROPHE],
  // A number in quotes.
  [new RegExp(`'(?<=(?:^|${SPACE})')(\\d[.,\\d]*)'`, 'g'), `${OPEN_SINGLE}$1&#8217;`],
]
const SINGLE: Rules = [
  [new RegExp(`'(?<=(?:^|[([{"\\-]|&lt;|${SPACE})')`, 'g'), OPEN_SINGLE],
  // Inside a word.
  [new RegExp(`'(?<!(?:${SPACE})')(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${SPACE})`, 'g'), APOSTROPHE],
]

const DIGIT = /\d/

function applied(rules: Rules, text: string): string {
  let set = text
  for (const [pattern, sign] of rules) set = set.replace(pattern, sign)
  return set
}

function singleQuotes(text: string): string {
  const set = applied(SINGLE, DIGIT.test(text) ? applied(SINGLE_AT_NUMBERS, text) : text)
  return closingQuotes(set, SINGLE_SIGNS).replaceAll(APOSTROPHE, '&#8217;').replaceAll(OPEN_SINGLE, '&#8216;')
}

const DOUBLE_AT_NUMBERS: Rules = [[new RegExp(`"(?<=(?:^|${SPACE})")(\\d[.,\\d]*)"`, 'g'), `${OPEN_DOUBLE}$1&#8221;`]]
const DOUBLE: Rules = [[new RegExp(`"(?<=(?:^|[([{\\-]|&lt;|${SPACE})")(?!${SPACE})`, 'g'), OPEN_DOUBLE]]

function doubleQuotes(text: string): string {
  const set = applied(DOUBLE, DIGIT.test(text) ? applied(DOUBLE_AT_NUMBERS, text) : text)
  return closingQuotes(set, DOUBLE_SIGNS).replaceAll(OPEN_DOUBLE, '&#8220;')
}

interface QuoteSigns {
  readonly open: string
  readonly close: string
  readonly prime: string
  readonly ending: RegExp
  readonly afterDigit: RegExp
}

const SINGLE_SIGNS: QuoteSigns = {
  open: OPEN_SINGLE,
  close: '&#8217;',
  prime: '&#8242;',
  ending: new RegExp(`'${END}`, 'g'),
  afterDigit: /'(?<=\d')/g,
}
const DOUBLE_SIGNS: QuoteSigns = {
  open: OPEN_DOUBLE,
  close: '&#8221;',
  prime: '&#8243;',
  ending: new RegExp(`"${END}`, 'g'),
  afterDigit: /"(?<=\d")/g,
}

/** The quotes that are left close a quotation or, behind a digit, are feet, inches, minutes or seconds. */
function closingQuotes(text: string, signs: QuoteSigns): string {
  const quote = signs === DOUBLE_SIGNS ? '"' : "'"
  const [before = '', ...quotations] = text.split(signs.open)
  let set = before.includes(quote) ? outsideQuotation(before, signs) : before
  for (const quotation of quotations) {
    set += signs.open
    if (!quotation.includes(quote)) set += quotation
    else set += quotation.includes(signs.close) ? outsideQuotation(quotation, signs) : insideQuotation(quotation, signs)
  }
  return quote === '"' ? set.replaceAll('"', signs.close) : set
}

function outsideQuotation(text: string, signs: QuoteSigns): string {
  return text.replace(signs.afterDigit, signs.prime).replace(signs.ending, signs.close)
}

/** One quote too many: prefer one that is no prime, then one before a full stop, then the last. */
function insideQuotation(text: string, signs: QuoteSigns): string {
  const marked = text.replace(signs.ending, CANDIDATE)
  const count = marked.split(CANDIDATE).length - 1
  if (count === 1) return marked.replace(CANDIDATE, signs.close).replace(signs.afterDigit, signs.prime)
  let closed = marked.replace(NOT_BEHIND_DIGIT, signs.close)
  if (count > 1 && closed === marked) {
    const stop = marked.lastIndexOf(`${CANDIDATE}.`)
    const at = stop === -1 ? marked.lastIndexOf(CANDIDATE) : stop
    closed = marked.slice(0, at) + signs.close + marked.slice(at + 1)
  }
  return closed.replace(signs.afterDigit, signs.prime).replaceAll(CANDIDATE, signs.prime)
}
const NOT_BEHIND_DIGIT = new RegExp(`${CANDIDATE}(?<!\\d${CANDIDATE})`, 'g')

const LONE_DASHES = new RegExp(`--(?<=(?:^|${SPACE})--)(?=$|${SPACE})`, 'g')
const LONE_DASH = new RegExp(`-(?<=(?:^|${SPACE})-)(?=$|${SPACE})`, 'g')

/** `xn--` starts an encoded domain name. */
function dashes(text: string): string {
  let set = text
  if (set.includes('--')) {
    set = set
      .replaceAll('---', '&#8212;')
      .replace(LONE_DASHES, '&#8212;')
      .replace(/--(?<!xn--)/g, '&#8211;')
  }
  return set.replace(LONE_DASH, '&#8211;')
}

/** `9x9` as a product, never `0x99`. Written as a scan: digits parted by commas make a pattern look at them again and again. */
function timesSigns(text: string): string {
  let set = ''
  let done = 0
  // Before this no product may start: the last one ended here.
  let floor = 0
  for (let at = text.indexOf('x'); at !== -1; at = text.indexOf('x', at + 1)) {
    if (!isDigit(text, at - 1) || !isDigit(text, at + 1)) continue
    const end = endOfFactor(text, at + 1)
    if (end === -1 || !startsFactor(text, floor, at)) continue
    set += `${text.slice(done, at)}&#215;`
    done = at + 1
    floor = end
  }
  return done === 0 ? text : set + text.slice(done)
}

function startsFactor(text: string, floor: number, end: number): boolean {
  let start = end
  while (start > floor && isOfNumber(text, start - 1)) start--
  for (let at = start; at < end; at++) {
    if (isDigit(text, at) && !isWord(text, at - 1) && (text[at] !== '0' || at + 1 < end)) return true
  }
  return false
}

/** Numbers end where a word does; -1 when letters follow. */
function endOfFactor(text: string, start: number): number {
  let end = start
  while (isOfNumber(text, end)) end++
  while (end > start && isWord(text, end - 1) === isWord(text, end)) end--
  return end > start ? end : -1
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function isOfNumber(text: string, at: number): boolean {
  return isDigit(text, at) || text[at] === '.' || text[at] === ','
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
}
