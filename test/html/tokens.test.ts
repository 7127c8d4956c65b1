/** The tokenizer on small sources: what each piece is called, and that no character is lost. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnyMarkup } from '../../src/html/any-markup.ts'
import { tokenize } from '../../src/html/tokenize.ts'
import type { Token } from '../../src/html/tokens.ts'
import { casesOf } from '../support/generated-cases.ts'

const pieces = (html: string, options?: { readonly rawText?: boolean }) =>
  tokenize(html, options).map((token) => `${token.kind}:${html.slice(token.start, token.end)}`)

const cases: { readonly [title: string]: readonly [html: string, tokens: readonly string[]] } = {
  'text and tags alternate': ['a<b>c</b>d', ['text:a', 'open:<b>', 'text:c', 'close:</b>', 'text:d']],
  'a lone < is text': ['5 < 6 <3', ['text:5 < 6 <3']],
  'an end tag keeps its blanks': ['x</p >', ['text:x', 'close:</p >']],
  'a tag that never ends is text': ['a<b title="x>', ['text:a<b title="x>']],
  'an end tag that never ends is text': ['a</b x', ['text:a</b x']],
  'a quoted > does not end a tag': ['<b title=">">x', ['open:<b title=">">', 'text:x']],
  'a comment ends at its first -->': ['<!-- a -- b --->x', ['comment:<!-- a -- b --->', 'text:x']],
  'a comment ends at --!> and at <!-->': ['<!--a--!><!-->x', ['comment:<!--a--!>', 'comment:<!-->', 'text:x']],
  'a comment that never ends reaches to the end': ['x<!--a<b>', ['text:x', 'comment:<!--a<b>']],
  'a doctype is markup of another kind': ['<!doctype html>x', ['other:<!doctype html>', 'text:x']],
  'CDATA ends at ]]>': ['<![CDATA[a>b]]>c', ['other:<![CDATA[a>b]]>', 'text:c']],
  'a processing instruction ends at >': ['<?a b?>c', ['other:<?a b?>', 'text:c']],
  'an end tag without a name': ['a</>b</ x>', ['text:a', 'other:</>', 'text:b', 'other:</ x>']],
  'nameless end tags before a comment and an open tag': [
    '</><!--a--></><b></>',
    ['other:</>', 'comment:<!--a-->', 'other:</>', 'open:<b>', 'other:</>'],
  ],
  'scripts and titles hold text': [
    '<script>a<b></script><title><i></title>',
    ['open:<script>', 'text:a<b>', 'close:</script>', 'open:<title>', 'text:<i>', 'close:</title>'],
  ],
}

for (const [title, [html, tokens]] of Object.entries(cases)) test(title, () => expect(pieces(html)).toEqual(tokens))

test('reads tags inside raw text elements on request', () => {
  expect(pieces('<style><b></style>', { rawText: false })).toEqual(['open:<style>', 'open:<b>', 'close:</style>'])
})

test('gives names as written and in lower case, and the self-closing sign', () => {
  const [open, , close] = tokenize('<BR/>x</Br>')
  expect(open).toMatchObject({ kind: 'open', name: 'BR', lowerName: 'br', isSelfClosing: true })
  expect(close).toMatchObject({ kind: 'close', name: 'Br', lowerName: 'br' })
})

test('does not take a letter beyond ASCII for one of a name', () => {
  expect(tokenize('<mar\u212a>')).toMatchObject([{ lowerName: 'mar\u212a' }])
})

test('gives the values of attributes as written, and null where there is none', () => {
  const html = `<a Href="/x?a&amp;b" b c='' d=e/ title = "f">`
  const [tag] = tokenize(html)
  const attributes = tag?.kind === 'open' ? tag.attributes : []
  expect(attributes.map(({ name, value }) => [name, value])).toEqual([
    ['Href', '/x?a&amp;b'],
    ['b', null],
    ['c', ''],
    ['d', 'e/'],
    ['title', 'f'],
  ])
  expect(attributes.map(({ start, end }) => html.slice(start, end))).toEqual([
    'Href="/x?a&amp;b"',
    'b',
    `c=''`,
    'd=e/',
    'title = "f"',
  ])
})

test('gives the text of a comment without its marks', () => {
  expect(tokenize('<!-- a --><!--b')).toMatchObject([{ text: ' a ' }, { text: 'b' }])
})

const joined = (html: string, tokens: readonly Token[]) =>
  tokens.map(({ start, end }) => html.slice(start, end)).join('')

test('covers any source without gaps or overlaps', () => {
  const part = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '<!',
    '<?',
    '<![CDATA[',
    ']]>',
    '"',
    "'",
    '=',
    ' ',
    'a',
  )
  const name = fc.constantFrom(
    'b',
    'script',
    '</script',
    '<title',
    '</title>',
    '<style',
    '</style>',
    '--!>',
    '&amp;',
    '\0',
  )
  const sources = fc
    .array(fc.oneof(part, name, fc.string({ maxLength: 3 })), { maxLength: 30 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(sources, fc.boolean(), (html, rawText) => {
      const tokens = tokenize(html, { rawText })
      expect(joined(html, tokens)).toBe(html)
      expect(tokens.every(({ start, end }) => start < end)).toBe(true)
    }),
    { numRuns: casesOf(3000) },
  )
})

test.each(['<i', '<p', '<s', '<script', '<t', '<title', '<x', '</i', '<i a="'])(
  'leaves %j at the end as text',
  (tag) => {
    expect(tokenize(`a ${tag}`)).toEqual([{ kind: 'text', start: 0, end: 2 + tag.length }])
  },
)

test('gives for plain markup what the state machine gives', () => {
  const part = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<p >',
      '</p >',
      '<h2 class="a" id=\'b\'>',
      '<img src="a" alt="" />',
      '<br/>',
      '<br />',
      '<a b>',
    ],
    ...[
      '<a  b="c"d="e">',
      '<a b= "c">',
      '<a b="c',
      '<a x:y="1">',
      '<A>',
      '</A>',
      '<b B="2">',
      '<a-b>',
      '</',
      '/>',
      '<',
    ],
    ...['<!-- a -->', '<!--a--b-->', '<!---->', '<!-->', '<!--->', '<!--a--!>', '<!--', '-->', '<!a>', '<?a>', '</>'],
    ...['<script>', '</script>', '<title>', '</title>', '<textarea a="b">', '<plaintext>', '<style />', '< b>', '<1>'],
    ...['"', "'", '=', ' ', '\n', '\f', 'text', '&amp;', '\0', '\u212a'],
  )
  const sources = fc.array(part, { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(sources, fc.boolean(), (html, rawText) => {
      const read: Token[] = []
      readAnyMarkup(html, read, { from: 0, rawText })
      expect(tokenize(html, { rawText })).toEqual(read)
    }),
    { numRuns: casesOf(5000) },
  )
})
