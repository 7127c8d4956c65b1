/** The table of widgets in docs/rendering.md is what the widgets draw. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawnWidgets, renderingDocument } from '../../docs/widget-table.ts'
import { listed } from '../support/assertion-messages.ts'

test('the table of widgets is up to date', async () => {
  const file = new URL('../../docs/rendering.md', import.meta.url)
  const isCurrent = readFileSync(file, 'utf8') === (await renderingDocument())
  expect(isCurrent, 'docs/rendering.md is out of date: run npx node docs/widget-table.ts').toBe(true)
})

test('each built-in widget is drawn, or says why not', async () => {
  const silent = (await drawnWidgets())
    .filter(({ html, reason }) => html === '' && reason === '')
    .map(({ type }) => type)
  expect(silent, listed('Draw these widgets, or add a warning with the reason:', silent)).toEqual([])
})
