/** The pages of docs/features, and the recorded examples, equal those generated from requests to the sample site. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { madePages } from '../../docs/requests.ts'

const home = join(import.meta.dirname, '../..')
const read = (file: string) => (existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : '')
const made = await madePages()
const pages = Object.entries(made).filter(([file]) => file.endsWith('.md'))

test.each(Object.entries(made))('%s is up to date', (file, text) => {
  expect(read(file) === text, `${file} is out of date: run npm run docs`).toBe(true)
})

test('links lead to existing pages', () => {
  const links = pages.flatMap(([, text]) => [...text.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, to = '']) => to))
  expect(links.filter((to) => !existsSync(join(home, 'docs/features', to)))).toEqual([])
})

test('a second run makes the same pages', async () => {
  expect(await madePages()).toEqual(made)
})

test('every page is generated', () => {
  expect(
    globSync('docs/features/*.md', { cwd: home }).toSorted(),
    'docs/features has other pages than the groups of docs/requests: remove pages that are not generated',
  ).toEqual(pages.map(([file]) => file).toSorted())
})
