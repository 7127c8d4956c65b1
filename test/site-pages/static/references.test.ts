/** Which addresses of a text are found, and that all else stays as it is. */
import { expect, test } from 'vitest'
import { redirectFiles } from '../../../src/site-pages/static/redirects.ts'
import {
  originPattern,
  type Reference,
  replaceInCss,
  replaceInHtml,
  replaceInXml,
} from '../../../src/site-pages/static/references.ts'

const origin = originPattern('https://a.example')

function readHtml(html: string) {
  const found: Reference[] = []
  const replaced = replaceInHtml(html, origin, (reference) => {
    found.push(reference)
    return `<${reference.value}>`
  })
  return { found: found.map(({ value, use }) => `${use} ${value}`), replaced }
}

test.each([
  ['<a href="/x?a=1&amp;b=2">', ['link /x?a=1&b=2']],
  ["<a class=x HREF='/x'>", ['link /x']],
  ['<a href=/x>', ['link /x']],
  ['<img src="/a.jpg" srcset="/a,b.jpg 300w, /c.jpg 2x">', ['resource /a.jpg', 'resource /a,b.jpg', 'resource /c.jpg']],
  ['<video poster=/p.jpg><source src=/v.mp4></video>', ['resource /p.jpg', 'resource /v.mp4']],
  ['<form method="post">', ['form ']],
  ['<form action="/x"><button formaction="/y">', ['form /x', 'form /y']],
  ['<iframe src="/embed/">', ['link /embed/']],
  ['<p style="background: url(/a.png)">', ['resource /a.png']],
  ['<style>@import "/a.css"; p { background: url( "/b.png" ) }</style>', ['resource /a.css', 'resource /b.png']],
  ['<div data-settings=\'{"url":"https:\\/\\/a.example\\/u\\/x.jpg"}\'>', ['text https://a.example/u/x.jpg']],
  ['<script>var a = "https://a.example/x?y=1"</script>', ['text https://a.example/x?y=1']],
  ['<script>"https://a.example.org/", "https://a.example:80/"</script>', []],
  ['<meta property="og:url" content="https://a.example/x/">', ['text https://a.example/x/']],
  ['<svg><use href="/i.svg#a"/></svg>', ['resource /i.svg#a']],
  ['<textarea><a href="/x"></textarea><!-- <a href="/y"> -->', []],
  ['a text that names https://a.example/x', []],
  ['<base href="/x/">', []],
])('%s', (html, found) => {
  expect(readHtml(html).found).toEqual(found)
  expect(replaceInHtml(html, origin, ({ value }) => value)).toBe(html.replace('<form method', '<form action="" method'))
})

test('what is replaced is escaped for its place', () => {
  expect(readHtml('<a href="/x" title="y">z</a>').replaced).toBe('<a href="&lt;/x&gt;" title="y">z</a>')
  expect(replaceInCss('a { b: url(/c) }', () => '/"\\)')).toBe('a { b: url("/%22%5C)") }')
  const data = '<p data-x=\'{"a":"https:\\/\\/a.example\\/x"}\'>'
  expect(replaceInHtml(data, origin, () => 'https://b.example/y')).toContain('https:\\/\\/b.example\\/y')
})

test('the names of entries in feeds stay', () => {
  const feed =
    '<guid isPermaLink="false">https://a.example/?p=1</guid><link>https://a.example/x/</link><id>https://a.example/</id>'
  expect(replaceInXml(feed, origin, () => '/y/')).toBe(feed.replace('https://a.example/x/', '/y/'))
})

test('signs with a meaning in the files of hosts are escaped', () => {
  const files = redirectFiles([{ from: '/a:b/*/(c)/%C3%BC$/', to: '/d"e/', status: 301 }])
  expect(files.get('_redirects')).toBe('/a%3Ab/%2A/(c)/%C3%BC$/ /d"e/ 301\n')
  expect(JSON.parse(files.get('vercel.json') ?? '').redirects[0].source).toBe('/a%3Ab/%2A/%28c%29/%C3%BC$/')
  expect(files.get('redirects.nginx.conf')).toBe('location = "/a:b/*/(c)/ü%24/" { return 301 "/d\\"e/"; }\n')
})
