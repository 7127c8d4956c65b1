/**
 * Widgets of many add-ons, in our own words, as pages show them: the texts of their authors in the order of the settings, and little
 * else. In add-on-widgets.json a name that begins with `*` marks a text. The held-out half was written after the rules; one of them,
 * that of phone numbers, came from it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'
import widgets from './add-on-widgets.json' with { type: 'json' }

type Value = string | readonly Value[] | { readonly [name: string]: Value }

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

interface Labelled {
  readonly texts: string[]
  readonly others: string[]
}

/** Removes the marks, and lists both kinds of values. */
function unmarked(value: Value, labelled: Labelled, isText = false): unknown {
  if (typeof value === 'string') {
    ;(isText ? labelled.texts : labelled.others).push(value)
    return value
  }
  if (Array.isArray(value)) return value.map((one) => unmarked(one, labelled))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.replace(/^\*/, ''),
      unmarked(one, labelled, name.startsWith('*')),
    ]),
  )
}

const signs: { readonly [written: string]: string } = { '&amp;': '&', '&#039;': "'", '&quot;': '"', '’': "'", '–': '-' }
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '\n')
    .replace(/&amp;|&#039;|&quot;|’|–/g, (written) => signs[written] ?? written)
    .split('\n')
    .map((run) => run.trim())
    .filter((run) => run !== '')

/** Takes each shown text once: the number of texts among them, and of other values. */
async function shown(settings: Value, name: string) {
  const labelled: Labelled = { texts: [], others: [] }
  const element = widgetElement('w1', `acme-${name}`, unmarked(settings, labelled) as object)
  const { html = '', warnings = [] } = (await site.api.render.document(await storeDocument(site, [element]))) ?? {}
  expect(warnings.find(({ code }) => code === 'unknown_widget')?.message).toContain(`acme-${name}`)
  const left = plain(html)
  const taken = (values: readonly string[]) =>
    values.filter((value) => {
      const at = left.indexOf(plain(value)[0] ?? '')
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
  const found = taken(labelled.texts)
  return { texts: labelled.texts, found, others: taken(labelled.others) }
}

test.each([
  ['the rules were made with', widgets.madeWith, 0.97, 0.97],
  ['were held out', widgets.heldOut, 0.97, 0.85],
] as const)('texts of widgets that %s are shown', async (_, shapes, recall, precision) => {
  const all = []
  for (const [name, settings] of Object.entries(shapes)) all.push(await shown(settings as Value, name))
  const found = all.flatMap((one) => one.found)
  const texts = all.flatMap((one) => one.texts)
  const others = all.flatMap((one) => one.others)
  const lost = texts.filter((text) => !found.includes(text))
  expect(found.length / texts.length, `lost: ${lost.join(', ')}`).toBeGreaterThanOrEqual(recall)
  expect(found.length / (found.length + others.length), `shown: ${others.join(', ')}`).toBeGreaterThanOrEqual(precision)
})
