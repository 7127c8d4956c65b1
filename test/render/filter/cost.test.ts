/** The cost of the filter, of tags stripped, of slugs and of search terms: the work per character is the same for short and long texts. */
import { expect, test } from 'vitest'
import { stripMarkup, stripTags } from '../../../src/html/strip-tags.ts'
import { tokenize } from '../../../src/html/tokenize.ts'
import { filterContent, filterTitle } from '../../../src/render/filter/filter.ts'
import { parseSearch } from '../../../src/site/search-terms.ts'
import { isReservedSlug, readableSlug, suffixedSlug, toSlug, trashedSlug } from '../../../src/site/slug.ts'
import { charactersRead } from '../../support/characters-read.ts'

/** The part is repeated between the start and the end. */
type Pattern = readonly [start: string, part: string, end: string]

const hostile: readonly Pattern[] = [
  ...['<', '>', '&', '&#', '&a', '&amp;', '"', ' ', '\n', '\0', 'a', '%e6', '%', '-', '\u0301', '語', '\ud83c'].map(
    (part): Pattern => ['', part, ''],
  ),
  ...[
    '<b ',
    '<b a="',
    "<b a='",
    '<b a=',
    '</',
    '</b',
    '</ ',
    '<!',
    '<!-',
    '<!--',
    '<!-->',
    '<!--->',
    '--!>',
    '-->',
  ].map((part): Pattern => ['', part, '']),
  ...[
    '<?',
    '<?a?>',
    '<![CDATA[',
    ']]>',
    '<!doctype',
    '< ',
    '< b',
    '< b >',
    '<b>',
    '</b>',
    '<<b>',
    '<b></i>',
    '</>',
  ].map((part): Pattern => ['', part, '']),
  ...['<script>', '<style></style>', '<textarea>', '</title>', '<plaintext>', '<p title="<">', '<p/><p/a>'].map(
    (part): Pattern => ['', part, ''],
  ),
  ...['<!-- cms:a -->', '<!-- /cms:a -->', '<!-- cms:a --><!-- /cms:b -->', '<!-- cms:a {', '<!-- cms:a {} /-->'].map(
    (part): Pattern => ['', part, ''],
  ),
  ['<!-- cms:a {"a":"', '<b>\\u003c--', '"} -->'],
  ['<!-- cms:a {"a":', '[', '} -->'],
  ['<!-- cms:a {"a":[', '"",', '1]} -->'],
  ['<!-- ', '<!-- ', ' -->'],
  ['<!-- ', '-', ' -->'],
  ['<!-- cms:a', ' ', '-->'],
  ['<p ', 'a ', '>'],
  ['<p ', 'data-a=1 ', '>'],
  ['<p ', 'title="" ', '>'],
  ['<p title="', '&#34;', '">'],
  ['<a href="', 'a:', '">'],
  ['<a href="', 'feed:', '">'],
  ['<a href="', ' ', '">'],
  ['<a href="', '&#58;', '">'],
  ['<p style="', 'a', '">'],
  ['<p style="', ';', '">'],
  ['<p style="', 'color:red;', '">'],
  ['<p style="width:', 'calc(', '">'],
  ['<p style="width:calc(', '(', '1px)">'],
  ['<p style="background:', 'url(', '">'],
  ['<p style="background:url(', 'a ', ')">'],
  ['<p style="font-family:', "'", '">'],
  ['<p style="--a:', '[', '">'],
  ['<object type="application/pdf" data="https://', 'a/', '.pdf">'],
  ...Array.from({ length: 3 }, (_, at): Pattern => ['', `<!-- cms:${'abc'.charAt(at)} -->`, `<!-- /cms:a -->`]),
]

const home = 'https://harbour.example'
const rules: { readonly [name: string]: (text: string) => unknown } = {
  tokenize: (text) => tokenize(text),
  stripTags,
  stripMarkup,
  filterContent: (text) => filterContent(text, { home }),
  filterTitle,
  toSlug,
  // Undefined for a text without a term.
  parseSearch: (text) => [parseSearch(text)],
  'slugs of other kinds': (text) => [
    ...[readableSlug(text), suffixedSlug(text, 2), trashedSlug(text)],
    isReservedSlug(text, '/{slug}/'),
  ],
}

/** Runs that end in something else: a pattern that looks for the end of the text would begin at each character of them. */
const runs: readonly Pattern[] = [
  ['<p style="color:red', ' ', 'x;top:0">'],
  ['<p style="', '-', ':a">'],
  ['<', '<', ' <<b>b'],
  ['<!-- cms:a ', '\u00a0', 'b -->'],
  ['<!-- cms:a {"a":"', '\\\\', '"} -->'],
  ['<a href="', ' ', 'a">'],
  ['< ', ' ', '<b>'],
  ['&', 'a', '<b>'],
]

test.each(Object.entries(rules))(
  '%s ends on long runs, where quadratic work would not within a test',
  (_name, rule) => {
    for (const [start, part, end] of runs) expect(rule(start + part.repeat(500_000) + end)).toBeDefined()
  },
)

/** No rule needs more for each character, whatever the text. */
const mostPerCharacter = 60
/** Short texts carry the constant part of the work. */
const slack = 1.3

test.each(Object.entries(rules))('%s reads each character a bounded number of times', (_name, rule) => {
  const tooMuch: unknown[] = []
  for (const [start, part, end] of hostile) {
    const [short, long, longest] = [1000, 10_000, 100_000].map((length) => {
      const text = start + part.repeat(Math.ceil(length / part.length)) + end
      return charactersRead(() => rule(text)) / text.length
    }) as [number, number, number]
    const grows = long > short * slack + 1 || longest > long * slack + 1
    if (grows || longest > mostPerCharacter) tooMuch.push({ start, part, short, long, longest })
  }
  expect(tooMuch).toEqual([])
})
