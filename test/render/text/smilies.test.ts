/** Faces on texts of our own. */
import { expect, it } from 'vitest'
import { faces } from '../../../src/render/text/smilies.ts'

it.each([
  ['Tea :) and :-( or 8-O\n:lol:', 'Tea 🙂 and 🙁 or 😯\n😆'],
  [':)', '🙂'],
  ['<p>:D</p><p>\u00a0;)\u00a0</p>', '<p>😀</p><p>\u00a0😉\u00a0</p>'],
])('shows the faces between blanks and at the ends of %j', (html, shown) => {
  expect(faces(html)).toBe(shown)
})

it.each(['a:)', ':)b', ':).', '(:))', 'https://example.com/:)', '<b title=" :) ">a</b>', '<!-- :) -->', ':tea: 8 : ;'])(
  'leaves %j as it is',
  (html) => expect(faces(html)).toBe(html),
)

it.each(['code', 'pre', 'script', 'style', 'textarea'])('leaves faces in %s as they are', (name) => {
  const html = `<${name}> :) </${name}>`
  expect(faces(`${html} :)`)).toBe(`${html} 🙂`)
})
