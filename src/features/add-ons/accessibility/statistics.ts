/** Usage counts of the visitors' widget by day, stored for 45 days. No data about visitors is stored. */

import type { Collection, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import { list, nullable, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields } from '../../../core/declare/response-schema.ts'
import { success, successSchema } from '../../shared/success.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import { daysOf, undeclaredArgs } from './args.ts'

export const widgetEvents = [
  'bigger-text',
  'bigger-line-height',
  'text-align',
  'readable-font',
  'grayscale',
  'contrast',
  'page-structure',
  'sitemap',
  'reading-mask',
  'hide-images',
  'pause-animations',
  'highlight-links',
  'focus-outline',
  'screen-reader',
  'widget-open',
  'hide-widget',
  'statement',
  'language-selector',
] as const

export type WidgetEvent = (typeof widgetEvents)[number]

const opening: WidgetEvent = 'widget-open'
const retentionDays = 45
const dayMs = 24 * 60 * 60 * 1000

/**
 * Values come from visitors, so the rows of a day are limited. Beyond the limit uses are counted without their value.
 */
const maxRowsPerDay = 500
const maxValue = 60

export const statistics: Collection = {
  name: 'a11y_statistics',
  /** `value` is empty for events without one. */
  fields: { day: 'text', event: 'text', value: 'text', total: 'integer' },
  indexed: ['day'],
  unique: [['day', 'event', 'value']],
}

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

// ---------------------------------------------------------------- counting

const maxRounds = 1000

interface WidgetUse {
  readonly event: WidgetEvent
  readonly value: string
}

export async function countWidgetUse(storage: Storage, now: number, { event, value }: WidgetUse): Promise<void> {
  const day = dayOf(now)
  let counted = value.replaceAll('\0', '').toWellFormed().slice(0, maxValue).toWellFormed()
  for (let round = 0; round < maxRounds; round++) {
    const [row] = (await storage.records.query(statistics, { where: isCounter(day, event, counted), limit: 1 })).rows
    if (row && (await tryIncrement(storage, row))) return
    if (row) continue
    const { total } = await storage.records.query(statistics, {
      where: { field: 'day', is: day },
      limit: 0,
      total: true,
    })
    if (counted !== '' && total >= maxRowsPerDay) {
      counted = ''
      continue
    }
    if (!(await tryInsert(storage, statistics, [{ day, event, value: counted, total: 1 }]))) {
      await storage.records.remove(statistics, { field: 'day', below: dayOf(now - retentionDays * dayMs) })
      return
    }
  }
}

const isCounter = (day: string, event: string, value: string): Where => ({
  every: [
    { field: 'day', is: day },
    { field: 'event', is: event },
    { field: 'value', is: value },
  ],
})

/** False when a parallel request changed the count. */
async function tryIncrement({ records }: Storage, { id, total }: StoredRecord): Promise<boolean> {
  const changes = { total: Number(total) + 1 }
  const when: Where = { field: 'total', is: Number(total) }
  return (await records.update(statistics, [{ id, changes, when }])).length > 0
}

// ---------------------------------------------------------------- reading

const total = str({ pattern: '\\d+', description: 'How often it happened.' })

const statisticSchema = successSchema(
  fields({
    dates: list(fields({ date: str({ format: 'date' }), total }), {
      description: 'How often the widget was opened, by day.',
    }),
    elements: list(
      fields({
        event: oneOf(widgetEvents),
        value: nullable(str({ description: 'What was chosen.' })),
        total,
      }),
      { description: 'What was done in it, the most frequent first.' },
    ),
  }),
)

export const statisticEndpoints = [
  endpoint({
    path: '/analytics/statistic',
    methods: ['GET'],
    args: undeclaredArgs('period'),
    summary: 'Read the usage statistics of the widget',
    permission: can('manage_options'),
    responses: { 200: statisticSchema },
    handler: async (context) => success(await readStatistic(context, daysOf(context.args, 'period'))),
  }),
] as const

async function readStatistic({ storage, app }: Pick<Context, 'storage' | 'app'>, days: number) {
  const from = dayOf(app.clock() - Math.min(days, retentionDays) * dayMs)
  const { rows } = await storage.records.query(statistics, {
    where: { field: 'day', from },
    order: [{ by: 'day' }],
  })
  const isOpening = ({ event }: StoredRecord) => event === opening
  const dates = sumByKey(rows.filter(isOpening), ({ day }) => String(day))
  const others = sumByKey(
    rows.filter((row) => !isOpening(row)),
    ({ event, value }) => `${event} ${value}`,
  )
  return {
    dates: dates.map(({ first, total }) => ({ date: first['day'], total: String(total) })),
    elements: others
      .toSorted((a, b) => b.total - a.total)
      .map(({ first, total }) => ({
        event: first['event'],
        value: first['value'] === '' ? null : first['value'],
        total: String(total),
      })),
  }
}

interface Sum {
  readonly first: StoredRecord
  readonly total: number
}

/** One sum per key, in the order of first occurrence. */
function sumByKey(rows: readonly StoredRecord[], keyOf: (row: StoredRecord) => string): Sum[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const { first = row, total = 0 } = sums.get(keyOf(row)) ?? {}
    sums.set(keyOf(row), { first, total: total + Number(row['total']) })
  }
  return [...sums.values()]
}
