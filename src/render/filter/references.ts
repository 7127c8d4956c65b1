/** Reads, normalizes and writes character references in filtered text and attribute values. */

import { lookupTable } from '../../contract/lookup-table.ts'

/** HTML 4, HTMLlat1: the characters 160 to 255 in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 ' +
  'acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml ' +
  'Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde ' +
  'Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ' +
  'ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide ' +
  'oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** HTML 4, HTMLsymbol: names and code points; the code points follow today's HTML. */
const SYMBOLS =
  'fnof 192 Alpha 391 Beta 392 Gamma 393 Delta 394 Epsilon 395 Zeta 396 Eta 397 Theta 398 Iota 399 ' +
  'Kappa 39a Lambda 39b Mu 39c Nu 39d Xi 39e Omicron 39f Pi 3a0 Rho 3a1 Sigma 3a3 Tau 3a4 Upsilon 3a5 ' +
  'Phi 3a6 Chi 3a7 Psi 3a8 Omega 3a9 alpha 3b1 beta 3b2 gamma 3b3 delta 3b4 epsilon 3b5 zeta 3b6 eta 3b7 ' +
  'theta 3b8 iota 3b9 kappa 3ba lambda 3bb mu 3bc nu 3bd xi 3be omicron 3bf pi 3c0 rho 3c1 sigmaf 3c2 ' +
  'sigma 3c3 tau 3c4 upsilon 3c5 phi 3c6 chi 3c7 psi 3c8 omega 3c9 thetasym 3d1 upsih 3d2 piv 3d6 bull 2022 ' +
  'hellip 2026 prime 2032 Prime 2033 oline 203e frasl 2044 weierp 2118 image 2111 real 211c trade 2122 ' +
  'alefsym 2135 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 crarr 21b5 lArr 21d0 uArr 21d1 rArr 21d2 ' +
  'dArr 21d3 hArr 21d4 forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 ni 220b ' +
  'prod 220f sum 2211 minus 2212 lowast 2217 radic 221a prop 221d infin 221e ang 2220 and 2227 or 2228 ' +
  'cap 2229 cup 222a int 222b there4 2234 sim 223c cong 2245 asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 ' +
  'sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287 oplus 2295 otimes 2297 perp 22a5 sdot 22c5 lceil 2308 ' +
  'rceil 2309 lfloor 230a rfloor 230b lang 27e8 rang 27e9 loz 25ca spades 2660 clubs 2663 hearts 2665 ' +
  'diams 2666'

/** HTML 4, HTMLspecial, and `apos` of XHTML. */
const SPECIAL =
  'apos 27 quot 22 amp 26 lt 3c gt 3e OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 circ 2c6 tilde 2dc ' +
  'ensp 2002 emsp 2003 thinsp 2009 zwnj 200c zwj 200d lrm 200e rlm 200f ndash 2013 mdash 2014 lsquo 2018 ' +
  'rsquo 2019 sbquo 201a ldquo 201c rdquo 201d bdquo 201e dagger 2020 Dagger 2021 permil 2030 lsaquo 2039 ' +
  'rsaquo 203a euro 20ac'

const withCodePoints = (table: string): [string, number][] =>
  [...table.matchAll(/(\w+) ([\da-f]+)(?: |$)/g)].map(([, name = '', code = '']) => [name, Number.parseInt(code, 16)])

const NAMED: ReadonlyMap<string, number> = new Map([
  ...LATIN_1.split(' ').map((name, index): [string, number] => [name, 160 + index]),
  ...withCodePoints(SYMBOLS),
  ...withCodePoints(SPECIAL),
])

/** HTML, numeric character reference end state: maps the numbers 128 to 159; undefined where the table has no entry. */
const WINDOWS_1252: readonly (number | undefined)[] = [
  ...[0x20ac, undefined, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152],
  ...[undefined, 0x017d, undefined, undefined, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc],
  ...[0x2122, 0x0161, 0x203a, 0x0153, undefined, 0x017e, 0x0178],
]

/** A reference ends in `;`. Browsers also read some without it, so the `&` of all others is escaped. */
const REFERENCE = /&(?:(#(?:\d+|[xX][\da-fA-F]+)|[A-Za-z][A-Za-z\d]*);)?/g

interface Reference {
  /** The normalized source. */
  readonly source: string
  readonly codePoint: number
}

function readReference(body: string): Reference | undefined {
  if (!body.startsWith('#')) {
    const codePoint = NAMED.get(body)
    return codePoint === undefined ? undefined : { source: `&${body};`, codePoint }
  }
  const isHexadecimal = /^#x/i.test(body)
  const number = Number.parseInt(body.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10)
  if (!isCharacter(number)) return undefined
  const codePoint = WINDOWS_1252[number - 128] ?? number
  if (isHexadecimal) return { source: `&#x${body.slice(2)};`, codePoint }
  return { source: `&#${String(codePoint).padStart(3, '0')};`, codePoint }
}

/** XML 1.0, Char. */
function isCharacter(number: number): boolean {
  if (number < 0x20) return number === 9 || number === 10 || number === 13
  return number <= 0xd7ff || (number >= 0xe000 && number <= 0xfffd) || (number >= 0x10000 && number <= 0x10ffff)
}

/** Writes listed references in one form, and every other `&` as `&amp;`. */
const normalizeReferences = (source: string): string =>
  source.includes('&')
    ? source.replace(REFERENCE, (whole, body?: string) => {
        const found = body === undefined ? undefined : readReference(body)
        return found?.source ?? `&amp;${whole.slice(1)}`
      })
    : source

/** Returns the text that a browser reads from normalized source. */
export const decodeReferences = (source: string): string =>
  source.includes('&')
    ? source.replace(REFERENCE, (whole, body?: string) => {
        const found = body === undefined ? undefined : readReference(body)
        return found === undefined ? whole : String.fromCodePoint(found.codePoint)
      })
    : source

const ESCAPES: { readonly [sign: string]: string } = lookupTable({
  '"': '&quot;',
  '&': '&amp;',
  "'": '&apos;',
  '<': '&lt;',
  '>': '&gt;',
})
const escapeSign = (sign: string) => ESCAPES[sign] as string

/** Converts source to text between tags; quotes stay. */
export const safeText = (source: string): string =>
  /[&<>]/.test(source) ? normalizeReferences(source).replace(/[<>]/g, escapeSign) : source

/** Converts source to an attribute value in double quotes. */
export const safeValue = (source: string): string =>
  /["&'<>]/.test(source) ? normalizeReferences(source).replace(/["'<>]/g, escapeSign) : source

/** Escapes decoded text as an attribute value in double quotes. */
export const escapeValue = (text: string): string => text.replace(/["&'<>]/g, escapeSign)
