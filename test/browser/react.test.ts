/** The front end of docs/react.md in a real browser, built as its bundler builds it, on a real site. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { passwordOf } from '../support/small-site.ts'
import { browserTests, type OtherOrigin, type ServedSite } from './harness.ts'

const { newContext, openSite, openOrigin } = browserTests()
let site: ServedSite
let front: OtherOrigin

/** The entry for a front end of another origin, which signs in with an application password. */
const entry = `
  import { createRoot } from 'react-dom/client'
  import { App } from './posts.tsx'
  const options = JSON.parse(decodeURIComponent(location.hash.slice(1)))
  createRoot(document.getElementById('root')).render(<App options={options} />)`

beforeAll(async () => {
  site = await openSite({ profile: full })
  const folder = join(import.meta.dirname, '../../docs/examples/react')
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, loader: 'tsx' },
    ...{
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    alias: { 'site-api/client': join(import.meta.dirname, '../../src/client/index.ts') },
  })
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  front = await openOrigin({
    '/': `<!doctype html><title>A front end</title><div id="root"></div><script type="module">${script}</script>`,
  })
})

async function open(signIn?: { readonly login: string; readonly password: string }) {
  const page = await (await newContext()).newPage()
  const options = encodeURIComponent(JSON.stringify({ url: `${site.url}/api`, ...(signIn ? { signIn } : {}) }))
  await page.goto(`${front.url}/#${options}`)
  return page
}

const titlesOf = (page: Awaited<ReturnType<typeof open>>) => page.locator('li').allInnerTexts()

test('lists posts, searches them, and shows a new one beside them', async () => {
  const page = await open({ login: 'edith', password: passwordOf('edith') })
  await page.locator('li').first().waitFor()
  const before = await titlesOf(page)
  expect(before.length).toBeGreaterThan(1)
  await page.getByLabel('Title').fill('Spring tide & ebb')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Spring tide & ebb').waitFor()
  expect((await titlesOf(page)).length).toBe(before.length + 1)
  await page.getByLabel('Search').fill('spring')
  await expect.poll(() => titlesOf(page)).toEqual(['Spring tide & ebb'])
})

test('says why a visitor may not publish', async () => {
  const page = await open()
  await page.getByLabel('Title').fill('Mine')
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => page.getByRole('alert').innerText()).toBe('You may not create posts.')
})
