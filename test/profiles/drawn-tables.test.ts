/** The tables in docs/rendering.md say which stored values pages show. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { effectTables, renderingDocument } from '../../docs/drawn/main.ts'
import { drawnWidgets } from '../../docs/drawn/widgets.ts'
import { listed } from '../support/assertion-messages.ts'

let effects: Awaited<ReturnType<typeof effectTables>>
beforeAll(async () => {
  effects = await effectTables()
})

test('the tables are up to date', async () => {
  const file = new URL('../../docs/rendering.md', import.meta.url)
  const isCurrent = readFileSync(file, 'utf8') === (await renderingDocument(effects))
  expect(isCurrent, 'docs/rendering.md is out of date: run npx node docs/drawn/main.ts').toBe(true)
})

test('each built-in widget is drawn, or says why not', async () => {
  const silent = (await drawnWidgets())
    .filter(({ html, reason }) => html === '' && reason === '')
    .map(({ type }) => type)
  expect(silent, listed('Draw these widgets, or add a warning with the reason:', silent)).toEqual([])
})

test('no template and no setting is stored, not drawn, and not warned of', () => {
  const silent = [...effects].flatMap(([table, rows]) =>
    rows.filter(({ effect }) => effect === 'silently kept').map(({ name }) => `${table}: ${name}`),
  )
  expect(silent, listed('Draw these, or warn of them when they are saved:', silent)).toEqual([])
})
