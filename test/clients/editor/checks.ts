/** Checks that the block editor stores the writing of its users. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Parsed } from '../../support/parsed.ts'
import { ask, asUser } from '../requests.ts'
import { type Check, picture, type Site } from '../site.ts'
import type { Bundle } from './installed.ts'
import { type EditorWindow, openEditor } from './window.ts'

const title = 'Nets & “knots” <3 > 2'
const paragraph = 'Tide & time: "wait" for <nobody> – ünïcode.'
const category = 'Fishing & boats'

/** The editor goes on without them: what they add belongs to themes. */
const tolerated =
  /^404 GET \/wp\/v2\/(?:templates\/lookup|block-patterns\/(?:categories|patterns)|global-styles\/themes\/[\w-]+(?:\/variations)?)$/

export const editorChecks = (bundle: Bundle): readonly Check[] => [
  {
    name: 'opens, writes, files, illustrates and publishes a post, and shows it after a reload',
    async run(site) {
      const { body: draft } = await ask(site, '/posts', asUser(site, { title: 'Draft', status: 'draft' }))
      const editor = await openEditor(site, bundle, draft.id)
      try {
        await closeGuide(editor.page)
        await write(editor)
        await addImage(editor)
        await addCategory(editor.page)
        await publish(editor.page)
        await isStored(site, draft.id)
        const kept = editor.page.waitForResponse(/\/users\/me\?/)
        await editor.page.reload()
        assert.equal((await kept).status(), 200)
        await showsAll(editor)
        assert.deepEqual(
          editor.problems.filter((problem) => !tolerated.test(problem)),
          [],
        )
      } finally {
        await editor.close()
      }
    },
  },
]

/** The guide for new writers. That it was closed is a preference, which the editor keeps with the user. */
async function closeGuide(page: Page): Promise<void> {
  const guide = page.getByRole('dialog', { name: /^Welcome/ })
  await guide.waitFor()
  const isKept = (method: string, url: string) => /PUT|POST/.test(method) && url.includes('/wp/v2/users/me')
  const kept = page.waitForResponse((response) => isKept(response.request().method(), response.url()))
  await guide.getByRole('button', { name: 'Close' }).click()
  assert.equal((await kept).status(), 200)
}

async function write({ page, canvas }: EditorWindow): Promise<void> {
  const heading = canvas.getByRole('textbox', { name: 'Add title' })
  await heading.fill(title)
  await heading.press('Enter')
  await page.keyboard.type(paragraph)
}

async function addImage({ page, canvas }: EditorWindow): Promise<void> {
  await page.keyboard.press('Enter')
  await page.keyboard.type('/image')
  await page.getByRole('option', { name: 'Image', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await canvas.getByRole('button', { name: 'Upload' }).click()
  const uploaded = page.waitForResponse((response) => response.url().includes('/wp/v2/media'))
  await (await chooser).setFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: picture })
  assert.equal((await uploaded).status(), 201)
  await canvas.locator('.wp-block-image img[src*="/uploads/"]').waitFor()
}

async function addCategory(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Post' }).click()
  await page.getByRole('button', { name: 'Categories' }).click()
  await page.getByRole('button', { name: 'Add Category' }).click()
  await page.getByRole('textbox', { name: 'New Category Name' }).fill(category)
  await page.getByRole('button', { name: 'Add Category' }).last().click()
  const box = page.getByRole('checkbox', { name: category })
  await box.waitFor()
  assert.equal(await box.isChecked(), true)
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Editor publish' })
  await panel.getByRole('button', { name: 'Publish', exact: true }).click()
  await panel.getByText('is now live').waitFor()
}

async function isStored(site: Site, id: number): Promise<void> {
  const { body: post } = await ask(site, `/posts/${id}?context=edit&_embed=wp:term`, asUser(site))
  assert.equal(post.status, 'publish')
  assert.equal(decoded(post.title.raw), title)
  assert.ok(
    post.content.raw.startsWith('<!-- wp:paragraph -->\n<p>Tide &amp; time: "wait" for &lt;nobody> – ünïcode.</p>'),
  )
  const [, image = ''] = /<img src="([^"]+)"/.exec(post.content.raw) ?? []
  assert.equal((await fetch(image)).headers.get('content-type'), 'image/png')
  const names = post._embedded['wp:term'].flat().map(({ name }: Parsed) => decoded(name))
  assert.ok(names.includes(category))
}

const decoded = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

async function showsAll({ page, canvas }: EditorWindow): Promise<void> {
  await canvas.locator('.wp-block-image img').waitFor()
  assert.equal(await canvas.getByRole('textbox', { name: 'Add title' }).innerText(), title)
  assert.equal(await canvas.locator('p[data-type="core/paragraph"]').first().innerText(), paragraph)
  const shown = canvas.locator('.wp-block-image img').first()
  assert.ok(await shown.evaluate((image) => (image as HTMLImageElement).decode().then(() => true)))
  assert.equal(await page.getByRole('dialog', { name: /^Welcome/ }).count(), 0)
}
