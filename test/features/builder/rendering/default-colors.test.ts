/** The colours that a new site is drawn with can be read, and an own colour does not change the others. */
import { afterEach, expect, test } from 'vitest'
import { systemColors } from '../../../../src/render/builder/kit/defaults.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
afterEach(() => site.dispose())

/** The contrast of two colours by WCAG 2.2. */
function contrast(a: string, b: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

async function drawn(): Promise<ReadonlyMap<string, string>> {
  const id = await storeDocument(site, [widgetElement('d1', 'heading', { title: 'Tide' })])
  const rendered = await site.api.render.document(id)
  const css = rendered?.css.map((sheet) => sheet.css).join('\n') ?? ''
  return new Map(
    [...css.matchAll(/--e-global-color-([\w-]+):\s*(#[0-9A-Fa-f]{6})/g)].map(
      ([, name, hex]) => [name, hex] as [string, string],
    ),
  )
}

test('the colours of a new site have the contrast of WCAG AA, as text and below white text', async () => {
  site = await createTestSite()
  const colors = await drawn()
  expect([...colors.keys()]).toEqual(['primary', 'secondary', 'text', 'accent'])
  for (const [name, hex] of colors) {
    for (const other of ['#FFFFFF', '#FBFAF7'])
      expect(contrast(hex, other), `${name} on ${other}`).toBeGreaterThanOrEqual(4.5)
  }
})

test('an own colour leaves the others as they are drawn, and routes show the recorded values', async () => {
  site = await createTestSite()
  const ada = site.as('ada')
  const before = await drawn()
  const path = '/builder/v1/globals/colors'
  expect((await ada('POST', `${path}/seaweed`, { body: { title: 'Seaweed', value: '#2F6B4F' } })).status).toBe(200)
  expect(await drawn()).toEqual(new Map([...before, ['seaweed', '#2F6B4F']]))
  const { body } = await ada('GET', path)
  expect(systemColors.map(({ id }) => body[id].value)).toEqual(systemColors.map(({ value }) => value))
})

test('a kit that stores the recorded colours is drawn with them', async () => {
  site = await createTestSite()
  await site.api['~parts'].storage.options.write({ builder_kit_colors: { system: systemColors, custom: [] } })
  expect(await drawn()).toEqual(new Map(systemColors.map(({ id, value }) => [id, value])))
})
