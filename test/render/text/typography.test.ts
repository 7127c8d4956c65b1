/** Typography on texts of our own; `opens` and the like name the sign by what it shows. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { tokenize } from '../../../src/html/tokenize.ts'
import { typeset } from '../../../src/render/text/typography.ts'
import { steps } from './steps.ts'

type Cases = { readonly [title: string]: readonly (readonly [text: string, set: string])[] }

const quotes: Cases = {
  'a double quote opens behind a blank, a bracket, a hyphen and at the start': [
    ['"Tea" and "milk"', '&#8220;Tea&#8221; and &#8220;milk&#8221;'],
    ['("tea") ["milk"]', '(&#8220;tea&#8221;) [&#8220;milk&#8221;]'],
    ['ex-"captain"', 'ex-&#8220;captain&#8221;'],
    ['gulls--"loud" ones', 'gulls&#8211;&#8220;loud&#8221; ones'],
    ['tea\u00a0"milk"', 'tea\u00a0&#8220;milk&#8221;'],
    ['tea&nbsp;"milk"', 'tea&nbsp;&#8220;milk&#8221;'],
  ],
  'a double quote closes elsewhere, and in front of a blank': [
    ['tea " milk', 'tea &#8221; milk'],
    ['a="b"', 'a=&#8221;b&#8221;'],
    ['&eacute;"', '&eacute;&#8221;'],
    ['“"tea"”', '“&#8221;tea&#8221;”'],
  ],
  'a number in double quotes is a phrase, whatever follows': [
    ['The "24" tray"', 'The &#8220;24&#8221; tray&#8221;'],
    ['"1,5" and a 3" pot', '&#8220;1,5&#8221; and a 3&#8243; pot'],
    ['"A 12" pot"', '&#8220;A 12&#8243; pot&#8221;'],
  ],
  'a single quote opens where a double one does, behind a double one too': [
    ["'Tea' and 'milk'", '&#8216;Tea&#8217; and &#8216;milk&#8217;'],
    ["tea ' milk", 'tea &#8216; milk'],
    [`"'Tea' is hot"`, '&#8220;&#8216;Tea&#8217; is hot&#8221;'],
    [`'say "tea"'`, '&#8216;say &#8220;tea&#8221;&#8216;'],
  ],
  'an apostrophe in or behind a word is one': [
    ["the cook's spoons' ends", 'the cook&#8217;s spoons&#8217; ends'],
    ["l'eau d'été", 'l&#8217;eau d&#8217;été'],
    ["the 747's wing", 'the 747&#8217;s wing'],
  ],
  'an apostrophe between a word and a double quote stays': [[`"Hot 'tea'"`, `&#8220;Hot &#8216;tea'&#8221;`]],
  'two accents and two apostrophes are double quotes': [
    ["``tea''", '&#8220;tea&#8221;'],
    ['a `tick', 'a `tick'],
  ],
  'words without their beginning take an apostrophe, in lower case only': [
    ["'twas 'em, 'round and \"'til\"", '&#8217;twas &#8217;em, &#8217;round and &#8220;&#8217;til&#8221;'],
    ["'Twas 'hind", '&#8216;Twas &#8216;hind'],
  ],
}

const measures: Cases = {
  'years of two digits take an apostrophe': [
    ["from '68 to '71 ('80s)", 'from &#8217;68 to &#8217;71 (&#8217;80s)'],
    ["'7 '1968", '&#8216;7 &#8216;1968'],
    [`"the summer of '68"`, '&#8220;the summer of &#8217;68&#8221;'],
  ],
  'signs behind digits are feet and inches': [
    [`7' by 9' and 30"`, '7&#8242; by 9&#8242; and 30&#8243;'],
    [`7'3" high`, '7&#8217;3&#8243; high'],
    [`8"x9"`, '8&#8243;x9&#8243;'],
    ["3'-wide", '3&#8242;-wide'],
  ],
  'a sign behind a digit closes the quote that is open': [
    ['"Gate 4" is shut', '&#8220;Gate 4&#8221; is shut'],
    ["'Gate 4' is shut", '&#8216;Gate 4&#8217; is shut'],
    ['"Gate 4" and 5"', '&#8220;Gate 4&#8221; and 5&#8243;'],
    ['"Gate 4" or "gate 5"', '&#8220;Gate 4&#8221; or &#8220;gate 5&#8221;'],
  ],
  'a sign behind a digit is inches when another one closes the quote': [
    ['"a 9" plate" and 3"', '&#8220;a 9&#8243; plate&#8221; and 3&#8243;'],
    ['"tea," he said, "by 9" and 7" ones"', '&#8220;tea,&#8221; he said, &#8220;by 9&#8243; and 7&#8243; ones&#8221;'],
  ],
  'an x between two numbers is a multiplication sign': [
    ['6x9 and 1.5x20, 10x0', '6&#215;9 and 1.5&#215;20, 10&#215;0'],
    ['6 x 9, 6X9, 6x9x2, 6x9cm, A6x9, 0x9f, 0x77, 6x', '6 x 9, 6X9, 6x9x2, 6x9cm, A6x9, 0x9f, 0x77, 6x'],
  ],
}

const signs: Cases = {
  'two hyphens are a long dash between blanks and a short one elsewhere': [
    ['tea -- milk--sugar --', 'tea &#8212; milk&#8211;sugar &#8212;'],
    ['-- tea\n--\nmilk --no', '&#8212; tea\n&#8212;\nmilk &#8211;no'],
    ['xn--tea.example', 'xn--tea.example'],
  ],
  'three hyphens are a long dash': [['tea---milk --- no ----', 'tea&#8212;milk &#8212; no &#8212;-']],
  'one hyphen between blanks is a short dash': [['tea - milk-jug -no no- -', 'tea &#8211; milk-jug -no no- &#8211;']],
  'three points are an ellipsis': [['so... and.... or..', 'so&#8230; and&#8230;. or..']],
  'only (tm) behind a blank is a sign': [['Tea (tm) (c) tea(tm) (TM)', 'Tea &#8482; (c) tea(tm) (TM)']],
  'an ampersand that starts no reference becomes one': [
    ['tea & milk &tea; &#9; &#xA; & &; &x; &#;', 'tea &#038; milk &tea; &#9; &#xA; &#038; &#038;; &#038;x; &#038;#;'],
    ['T&T &lt', 'T&#038;T &#038;lt'],
  ],
  'typographic signs stay': [['“tea” ‘milk’ – — … × ™', '“tea” ‘milk’ – — … × ™']],
}

const markup: Cases = {
  'a tag is the neighbour, not the letter behind it': [
    ['<b>Tea</b>\'s "<i>pot</i>"', '<b>Tea</b>&#8216;s &#8220;<i>pot</i>&#8220;'],
    ['<i>a</i>--<i>b</i>', '<i>a</i>&#8212;<i>b</i>'],
  ],
  'tags and comments stay, but for lone ampersands': [
    [`<a title="it's--x" href='?a&b'>it's</a>`, `<a title="it's--x" href='?a&#038;b'>it&#8217;s</a>`],
    ['<!-- "tea" & -->"x"', '<!-- "tea" & -->&#8220;x&#8221;'],
  ],
  'code, kbd, pre, script, style and tt stay': [
    ...['code', 'kbd', 'pre', 'script', 'style', 'tt'].map(
      (name) => [`<${name}>"a" & b</${name}> "c"`, `<${name}>"a" & b</${name}> &#8220;c&#8221;`] as const,
    ),
    ['<pre><code>"a"</code> "b"</pre>', '<pre><code>"a"</code> "b"</pre>'],
    ['<code>"a" <b>"b"</b>', '<code>"a" <b>"b"</b>'],
  ],
  'other elements are text': [
    [
      '<samp>"a"</samp><textarea>"b"</textarea><CODE>"c"</CODE>',
      '<samp>&#8220;a&#8221;</samp><textarea>&#8220;b&#8221;</textarea><CODE>&#8220;c&#8221;</CODE>',
    ],
  ],
  'what follows a lone < stays up to the next >': [
    ["a <3 it's", "a <3 it's"],
    ['a < "b" > "c"', 'a < "b" > &#8220;c&#8221;'],
  ],
  'known shortcodes keep their attributes, what they enclose is set': [
    ['[video src="a--b.mp4"] "c"', '[video src="a--b.mp4"] &#8220;c&#8221;'],
    ['[caption width="9"]<img> "c"[/caption]', '[caption width="9"]<img> &#8220;c&#8221;[/caption]'],
    ['[audio title="<i> \'x\'"]"c"', '[audio title="<i> \'x\'"]&#8220;c&#8221;'],
    ['[[embed a="b"]] -- c', '[[embed a="b"]] &#8212; c'],
  ],
  'other square brackets are text': [
    ['[tea a="b"] [videos x="y"]', '[tea a=&#8221;b&#8221;] [videos x=&#8221;y&#8221;]'],
    ['[video "a', '[video &#8220;a'],
  ],
}

for (const [part, cases] of Object.entries({ quotes, measures, signs, markup })) {
  describe(part, () => {
    for (const [title, pairs] of Object.entries(cases)) {
      it.each(pairs)(`${title}: %j`, (text, set) => expect(typeset(text)).toBe(set))
    }
  })
}

const pieces = [
  `"`,
  `'`,
  '`',
  '&',
  '-',
  '.',
  '<',
  '>',
  'x',
  '7',
  ' ',
  'a',
  '(tm)',
  '[video a="',
  ']',
  '<b>',
  '</b>',
  '<code>',
]

test('leaves the tags and comments of any text as they are', () => {
  const tags = (html: string) =>
    tokenize(html)
      .filter(({ kind }) => kind !== 'text')
      .map(({ start, end }) => html.slice(start, end).replaceAll('&#038;', '&'))
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      expect(tags(typeset(text))).toEqual(tags(text.replaceAll('&#038;', '&')))
    }),
    { numRuns: 1000 },
  )
})

const repeated = [
  ...pieces,
  '"a" ',
  `5" `,
  `'tis `,
  '1x',
  '&amp',
  '&nbsp;',
  '[video "',
  `[audio "'`,
  '[[gallery',
  '<a href="',
  '...',
  "''",
]

test.each(repeated)('looks at each character of many %j a few times at most', (part) => {
  for (const length of [1_000, 10_000, 100_000]) {
    const text = `${part.repeat(length / part.length)}9x9`
    expect(steps((work) => typeset(text, work))).toBeLessThan(6 * text.length)
  }
})
