/** An agent changes colors, fonts and widgets everywhere. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentSiteUnderTest, openAgentSite } from './sites.ts'

let opened: AgentSiteUnderTest
beforeAll(async () => {
  opened = await openAgentSite()
})
afterAll(async () => {
  expect(opened.site.failures).toEqual([])
  await opened.site.dispose()
})

const read = async (path: string) => (await opened.site.as('ada')('GET', path)).body

test('gives a global color by its name another value', async () => {
  const args = { from: 'primary', to: '#123456' }
  const { structured } = await opened.call('change_style', { ...args, dry_run: true })
  expect(structured).toMatchObject({
    dry_run: true,
    shared: [{ kind: 'color', id: 'primary', difference: expect.stringContaining('+ #123456') }],
  })
  expect((await read('/builder/v1/globals/colors/primary')).value).not.toBe('#123456')
  await opened.call('change_style', args)
  expect((await read('/builder/v1/globals/colors/primary')).value).toBe('#123456')
})

test('gives a global font another family, and leaves the color of the same name', async () => {
  const color = (await read('/builder/v1/globals/colors/secondary')).value
  await opened.call('change_style', { from: 'secondary', to: 'Georgia' })
  expect((await read('/builder/v1/globals/typography/secondary')).value.typography_font_family).toBe('Georgia')
  expect((await read('/builder/v1/globals/colors/secondary')).value).toBe(color)
})

test('replaces a value in pages, variables, classes and global colors', async () => {
  const as = 'system'
  const variable = { type: 'global-color-variable', label: 'reef', value: '#a01' }
  await opened.site.api.call('POST', '/builder/v1/variables/create', variable, { as })
  const variants = [
    {
      meta: { breakpoint: 'desktop', state: null },
      props: { color: { $$type: 'color', value: '#aa0011' } },
      custom_css: null,
    },
  ]
  await opened.site.api.call(
    'PUT',
    '/builder/v1/global-classes',
    {
      changes: { added: ['g-1a2b3c4'], modified: [], deleted: [] },
      items: { 'g-1a2b3c4': { id: 'g-1a2b3c4', type: 'class', label: 'card', variants } },
      order: ['g-1a2b3c4'],
    },
    { as: opened.site.ids['user.admin'] ?? 0 },
  )
  const { structured } = await opened.call('change_style', { from: '#aa0011', to: '#0000bb' })
  expect(structured).toMatchObject({ written_styles: 2, written: [opened.built], elements: 1 })
  expect(await opened.elements(opened.built)).toContain('"title_color":"#0000bb"')
  expect(JSON.stringify(await read('/builder/v1/variables/list'))).toContain('#0000bb')
  const classes = JSON.stringify(await read('/builder/v1/global-classes/styles?ids=g-1a2b3c4'))
  expect(classes).toContain('#0000bb')
  expect(classes).toContain('card')
})

test('gives all elements of a kind the same settings, or those of one page', async () => {
  const args = { widget: 'button', settings: { size: 'lg' }, page: opened.built }
  const { structured } = await opened.call('change_style', { ...args, dry_run: true })
  expect(structured.changes).toEqual([
    {
      id: opened.built,
      type: 'pages',
      title: 'The moorings',
      part: 'bbbbbb4',
      difference: expect.stringContaining('+ size: "lg"'),
    },
  ])
  expect(await opened.elements(opened.built)).not.toContain('"size":"lg"')
  await opened.call('change_style', args)
  expect(await opened.elements(opened.built)).toContain('"size":"lg"')
})

test('says that nothing has the value, and refuses who may not', async () => {
  const { structured } = await opened.call('change_style', { from: '#fedcba', to: '#000' })
  expect(structured.note).toContain('about_site')
  const as = opened.site.ids['user.author'] ?? 0
  expect(await opened.call('change_style', { from: 'accent', to: '#000' }, { as })).toMatchObject({
    isError: true,
    text: { status: 403 },
  })
})
