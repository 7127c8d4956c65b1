/** Generates markup for the filter: pieces of tags, attributes, references, comments and markers, and spoilt attacks. */
import fc from 'fast-check'
import { CONTENT, TITLE } from '../../../src/render/filter/elements.ts'
import { FUNCTIONS, PROPERTIES } from '../../../src/render/filter/style-properties.ts'
import { allVectors } from './xss-vectors.ts'

const oneOf = (list: Iterable<string>) => fc.constantFrom(...list)
const joined = (piece: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(piece, { maxLength }).map((pieces) => pieces.join(''))

const listed = oneOf([...CONTENT.elements.keys(), ...TITLE.elements.keys()])
const unlisted = oneOf(
  [
    'script',
    'style',
    'iframe',
    'svg',
    'template',
    'noscript',
    'plaintext',
    'xmp',
    'select',
    'option',
    'form',
    'input',
  ].concat([
    'annotation-xml',
    'mglyph',
    'malignmark',
    'foreignObject',
    'frameset',
    'base',
    'meta',
    'link',
    'embed',
    'image',
    'x-y',
  ]),
)
const inAnyCase = (name: fc.Arbitrary<string>) =>
  fc
    .tuple(name, fc.nat(7))
    .map(([text, at]) => (at === 0 ? text.toUpperCase() : at === 1 ? text.replace(/i/, 'I') : text))
const elementName = inAnyCase(fc.oneof({ weight: 4, arbitrary: listed }, { weight: 1, arbitrary: unlisted }))

const attributeName = inAnyCase(
  fc.oneof(
    oneOf([...new Set([...CONTENT.elements.values()].flat())]),
    oneOf([...CONTENT.everywhere]),
    oneOf([
      'onclick',
      'onerror',
      'srcdoc',
      'srcset',
      'formaction',
      'action',
      'data-a',
      'data-é',
      'is',
      'xlink:href',
      'ping',
    ]),
    oneOf(['href', 'src', 'style']),
  ),
)
const sign = oneOf('<>"\'=`/\\&;:#()[]{}!-@,.*+%?_ \t\n\r\f\v\0\x01\x7f\u00a0\u2028\u212a\ufeffx0'.split(''))
const reference = fc.oneof(
  oneOf([
    '&amp;',
    '&lt;',
    '&gt',
    '&quot;',
    '&apos;',
    '&#39;',
    '&#x3C;',
    '&#0;',
    '&colon;',
    '&Tab;',
    '&NewLine;',
    '&lpar;',
    '&',
    '&#',
  ]),
  fc.integer({ min: 0, max: 0x110010 }).map((code) => `&#${code};`),
  fc.integer({ min: 0, max: 160 }).map((code) => `&#x${code.toString(16)}`),
)
const scheme = oneOf([
  'javascript',
  'JAVASCRIPT',
  'java\tscript',
  'data',
  'vbscript',
  'http',
  'https',
  'feed',
  'mailto',
  'x',
  ' ',
  '//a',
])
const address = joined(fc.oneof(scheme, oneOf([':', '/', '?', '#', 'fire()']), reference, sign), 6)
const styleValue = joined(
  fc.oneof(
    oneOf(FUNCTIONS).map((name) => `${name}(`),
    oneOf([
      'url(',
      'URL(',
      ')',
      '(',
      'red',
      '1px',
      '"',
      "'",
      ',',
      ' ',
      '/*',
      '*/',
      '\\',
      'expression(',
      '!important',
      '#fff',
      '[',
      ']',
      '{',
      '}',
      '@import ',
    ]),
    scheme,
    sign,
  ),
  6,
)
const property = fc.oneof(
  { weight: 3, arbitrary: oneOf(PROPERTIES) },
  { weight: 1, arbitrary: oneOf(['--a', 'behavior', '-moz-binding', 'COLOR', '', '@import']) },
)
const style = joined(
  fc.oneof(
    fc.tuple(property, styleValue).map(([name, value]) => `${name}:${value};`),
    oneOf([';', ':', 'red', '}']),
  ),
  3,
)
const value = fc.oneof(address, style, joined(fc.oneof(sign, reference, elementName), 5))
const attribute = fc
  .tuple(oneOf([' ', '/', '\n', '', '  ']), attributeName, oneOf(['=', ' = ', '']), oneOf(['"', "'", '', '`']), value)
  .map(([gap, name, equals, quote, text]) => `${gap}${name}${equals === '' ? '' : `${equals}${quote}${text}${quote}`}`)
const tag = fc
  .tuple(
    oneOf(['<', '<', '<', '</', '< ', '<<', '</ ']),
    elementName,
    joined(attribute, 3),
    oneOf(['>', '>', '>', '/>', ' >', '', ' / >']),
  )
  .map((parts) => parts.join(''))
const json = fc
  .dictionary(
    fc.string({ maxLength: 3 }),
    fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...allVectors), fc.double()),
    { maxKeys: 2 },
  )
  .map((object) => JSON.stringify(object))
const marker = fc
  .tuple(
    oneOf(['<!-- cms:', '<!-- /cms:', '<!--cms:']),
    oneOf(['a', 'b', 'x/y', 'core/a', 'A', '']),
    fc.oneof(json, oneOf(['', '{', '{"a":"-->"}'])),
    oneOf([' -->', ' /-->', '-->', '--!>', '']),
  )
  .map(([start, name, attributes, end]) => `${start}${name} ${attributes}${end}`)
const mark = oneOf([
  '<!--',
  '-->',
  '--!>',
  '<!',
  '<?',
  '?>',
  '<![CDATA[',
  ']]>',
  '<!doctype html>',
  '</',
  '/>',
  '<!-->',
  '<!--->',
  '--',
])

/** An attack with a piece taken out or put in. */
const spoilt = fc
  .tuple(fc.constantFrom(...allVectors), fc.nat(), fc.nat(3), fc.oneof(sign, reference, mark, fc.constant('')))
  .map(([vector, at, length, piece]) => {
    const cut = at % (vector.length + 1)
    return vector.slice(0, cut) + piece + vector.slice(cut + length)
  })

export const hostileMarkup: fc.Arbitrary<string> = joined(
  fc.oneof(
    { weight: 6, arbitrary: tag },
    { weight: 2, arbitrary: spoilt },
    { weight: 2, arbitrary: sign },
    { weight: 2, arbitrary: mark },
    { weight: 1, arbitrary: marker },
    { weight: 1, arbitrary: reference },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    { weight: 1, arbitrary: oneOf(['fire()', 'a', ' ', '\n\n', 'javascript:', 'on']) },
  ),
  10,
)
