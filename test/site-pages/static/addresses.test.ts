/** Which file an address becomes: no text of an author leads out of the folder, or into the place of another file. */
import { expect, test } from 'vitest'
import { sha256Of } from '../../../src/core/runtime/crypto.ts'
import { addressIn, placeOf, relativePath } from '../../../src/site-pages/static/addresses.ts'

const home = new URL('https://a.example/')
const addressOf = (path: string) => addressIn(path, home)?.address ?? ''
const fileOf = (path: string, type = 'html') => placeOf(addressOf(path), type, sha256Of).file

test.each([
  ['/', 'html', 'index.html'],
  ['/about/', 'html', 'about/index.html'],
  ['/about', 'html', 'about/index.html'],
  ['/caf%C3%A9/a,b/', 'html', 'café/a,b/index.html'],
  ['/feed/', 'xml', 'feed/index.xml'],
  ['/robots.txt', 'txt', 'robots.txt'],
  ['/__proto__/', 'html', '__proto__/index.html'],
])('%s of the type %s is %s', (path, type, file) => {
  expect(fileOf(path, type)).toBe(file)
})

const digest = '[0-9a-f]{16}'

test.each([
  ['/?p=2', 'html', `_query/p-2-${digest}/index.html`],
  ['/about/?p=2', 'html', `about/_query/p-2-${digest}/index.html`],
  ['/robots.txt?p=2', 'txt', `_query/p-2-${digest}/robots.txt`],
  ['/a/feed/?p=2', 'xml', `a/feed/_query/p-2-${digest}/index.xml`],
  ['/?../../x%0d%0a', 'html', `_query/x-0d-0a-${digest}/index.html`],
])('%s of the type %s is beside the files without a query', (path, type, file) => {
  expect(fileOf(path, type)).toMatch(new RegExp(`^${file}$`))
})

/** Names that leave the folder, that file systems refuse, or that are those of other files. */
const hostile = [
  ...[
    '..%2f..%2fx',
    '..%5cx',
    '..:..:x',
    'a:b',
    'a%3Ab',
    '%00',
    'a%0D%0Ab',
    '%ff',
    '.htaccess',
    '...',
    '%2e%2e%2f',
    'n'.repeat(256),
  ],
  ...[
    '%E0%B8%81'.repeat(90),
    '_query',
    '_query-0000000000000000',
    '_redirects',
    '_Headers',
    '_worker.js',
    '404.html',
    'vercel.json',
  ],
  ...['.site-api-static.json', 'redirects.nginx.conf', 'a%7Cb', 'a%3Fb'],
]

test.each(hostile)('the name %s is replaced by its digest', (name) => {
  const { file, path } = placeOf(addressOf(`/${name}/x/`), 'html', sha256Of)
  expect(file).toMatch(new RegExp(`^_query-${digest}/x/index\\.html$`))
  expect(path).toBe(`/${file.replace('index.html', '')}`)
  expect(fileOf(`/${name}`, 'txt')).toMatch(new RegExp(`^_query-${digest}$`))
})

test('names that differ in their escapes have files that differ', () => {
  const files = ['/a%5cb/', '/a%255cb/', '/a%2fb/', '/a/b/', '/a%3Ab/', '/a//b/'].map((path) => fileOf(path))
  expect(new Set(files).size).toBe(files.length)
})

test('a path that is longer than the keys of stores is replaced by its digest', () => {
  const names = Array.from({ length: 30 }, (_, at) => `${at}${'n'.repeat(100)}`)
  expect(fileOf(`/${names.join('/')}/`)).toMatch(new RegExp(`^_query-${digest}/index\\.html$`))
})

test('an address that would name another host is none of the site', () => {
  expect(addressIn('https://a.example//evil.example/', home)).toBeUndefined()
  expect(addressIn('/.//evil.example/', home)).toBeUndefined()
  expect(placeOf('//evil.example/x/', 'html', sha256Of).file).toMatch(/^_query-\w+\/evil\.example\/x\/index\.html$/)
  expect(relativePath('/', '/a:b/')).toBe('./a:b/')
})
