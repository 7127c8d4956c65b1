/** Ampersands that begin no character reference. */
import { expect, it } from 'vitest'
import { escapeLoneAmpersands } from '../../../src/render/text/ampersands.ts'

it.each([
  ['a & b && c', 'a &#038; b &#038;&#038; c'],
  ['salt &amp; &eacute; &#233; &#xE9; &made;', 'salt &amp; &eacute; &#233; &#xE9; &made;'],
  ['&amp &x; &#; &#xyz;', '&#038;amp &#038;x; &#038;#; &#038;#xyz;'],
  ['<a href="?a=1&b=2">R&D</a>', '<a href="?a=1&#038;b=2">R&#038;D</a>'],
  ['<code>a && b</code>', '<code>a &#038;&#038; b</code>'],
  ['<script>a && b</script> & <!-- & -->', '<script>a && b</script> &#038; <!-- & -->'],
])('escapes the lone ampersands of %j', (html, escaped) => {
  expect(escapeLoneAmpersands(html)).toBe(escaped)
  expect(escapeLoneAmpersands(escaped)).toBe(escaped)
})
