/** Streams submissions as CSV, or in the wrapped format for clients that prefer JSON. */

import type { Storage, Where } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { type Result, result, Stream } from '../../../core/declare/result.ts'
import type { Settings } from '../../../site/settings.ts'
import {
  byteOrderMark,
  type Cell,
  type CellOptions,
  cellText,
  csvLines,
  type WrappedStyle,
  wrappedCell,
} from './csv.ts'
import {
  between,
  type Column,
  type ExportedForm,
  orderOf,
  querySubmissions,
  readExportedForms,
  type Sorting,
  windowsOf,
} from './exported-rows.ts'
import { type Filters, type Status, type Submission, toWhere, withStatus } from './model.ts'
import { formLabel, spaced } from './view.ts'

interface ExportArgs extends Filters, Sorting {
  readonly page: number
  readonly per_page: number
  readonly status: Status
}

interface Export {
  readonly storage: Storage
  readonly settings: Settings
  readonly options: CellOptions
  readonly args: ExportArgs
  /** Matches the rows of all pages. */
  readonly where: Where
  /** The first row of the page. */
  readonly first: Submission
}

type ExportContext = Pick<Context, 'storage' | 'settings' | 'app' | 'incoming'>

export async function exportSubmissions(
  { storage, settings, app, incoming }: ExportContext,
  args: ExportArgs,
  options: CellOptions,
): Promise<Result> {
  const where = withStatus(toWhere(args, settings), args.status)
  const offset = (args.page - 1) * args.per_page
  const [first] = await querySubmissions(storage, { where, order: orderOf(args), offset, limit: 1 })
  if (!first) throw new ApiError('nothing_to_export', 'There is nothing to export.', 400)
  const rows: Export = { storage, settings, options, args, where, first }
  // Two formats on one URL: caches must store them apart.
  const headers = { Vary: 'Origin, Authorization, Cookie, Accept' }
  if (prefersJson(incoming.header('accept'))) {
    return result(new Stream(streamOf(wrappedParts(rows)), 'application/json; charset=UTF-8'), { headers })
  }
  const name = `form-submissions-${settings.time.now(app.clock).local.slice(0, 10)}.csv`
  return result(new Stream(streamOf(csvParts(rows)), 'text/csv; charset=UTF-8; header=present'), {
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${name}"` },
  })
}

const fixedLabels = ['Form Name (ID)', 'Submission ID', 'Created At', 'User ID', 'User Agent', 'User IP', 'Referrer']

const valuesOf = ({ values }: Submission) => new Map(values.map(({ key, value }) => [key, value]))
const nameOf = ({ formName, elementId }: Submission) => formLabel({ name: formName, elementId })

// ---------------------------------------------------------------- CSV

/**
 * All pages have the same header, so that clients can join them. Forms share a column when its key and label are the
 * same.
 */
async function* csvParts({ storage, settings, options, args, where, first }: Export) {
  const forms = await readExportedForms(storage, where)
  const labelsByColumn = new Map(
    forms.flatMap(({ columns }) => columns.map((column) => [columnKey(column), column.label])),
  )
  const columnsOf = new Map(forms.map(({ elementId, columns }) => [elementId, byColumnKey(columns)]))
  const header = [...labelsByColumn.values(), ...fixedLabels]
  yield byteOrderMark + csvLines([header.map((text) => ({ text }))], options)
  const page: Where = { every: [where, between(first, undefined, args)] }
  for await (const window of windowsOf(storage, page, args, args.per_page)) {
    yield csvLines(window.map(row), options)
  }

  function row(submission: Submission): Cell[] {
    const values = valuesOf(submission)
    const columns = columnsOf.get(submission.elementId)
    const cells = [...labelsByColumn.keys()].map((key): Cell => {
      const column = columns?.get(key)
      return column ? { text: values.get(column.key) ?? '', isNumber: column.isNumber } : { text: '' }
    })
    const { id, createdAt, userId, userAgent, userIp, referer } = submission
    const fixed = [
      nameOf(submission),
      String(id),
      spaced(settings.time.toLocal(createdAt)),
      String(userId),
      userAgent,
      userIp,
      referer,
    ]
    return [...cells, ...fixed.map((text) => ({ text }))]
  }
}

const columnKey = ({ key, label }: Column) => JSON.stringify([key, label])
const byColumnKey = (columns: readonly Column[]) => new Map(columns.map((column) => [columnKey(column), column]))

// ---------------------------------------------------------------- the wrapped format

type StyledCell = readonly [cell: Cell, style: WrappedStyle]

/** Interface: the wrapped format has one entry for each form; clients join its lines to one file. */
async function* wrappedParts({ storage, settings, options, args, where, first }: Export) {
  const [last] = await querySubmissions(storage, {
    where,
    order: orderOf(args),
    offset: args.page * args.per_page - 1,
    limit: 1,
  })
  const page: Where = { every: [where, between(first, last, args)] }
  let prefix = '{"data":['
  for (const form of await readExportedForms(storage, page)) {
    const header: StyledCell[] = [
      ...form.columns.map(({ label }): StyledCell => [{ text: label }, 'value']),
      ...fixedLabels.map((text): StyledCell => [{ text }, 'bare']),
    ]
    yield `${prefix}{"id":${JSON.stringify(form.elementId)},"content":[${lineOf(header)}`
    const ofForm: Where = { every: [{ field: 'element_id', is: form.elementId }, page] }
    for await (const window of windowsOf(storage, ofForm, args)) {
      yield window.map((submission) => `,${lineOf(cellsOf(submission, form))}`).join('')
    }
    yield `],"mimetype":"text/csv;charset=UTF-8","extension":"csv","form_label":${JSON.stringify(form.label)}}`
    prefix = ','
  }
  yield prefix === ',' ? ']}' : `${prefix}]}`

  function cellsOf(submission: Submission, { columns }: ExportedForm): StyledCell[] {
    const values = valuesOf(submission)
    const { id, createdAt, userId, userAgent, userIp, referer } = submission
    const fixed = [spaced(settings.time.toLocal(createdAt)), String(userId), userAgent, userIp, referer]
    return [
      ...columns.map(({ key, isNumber }): StyledCell => [{ text: values.get(key) ?? '', isNumber }, 'value']),
      [{ text: nameOf(submission) }, 'name'],
      [{ text: String(id) }, 'bare'],
      ...fixed.map((text): StyledCell => [{ text }, 'plain']),
    ]
  }

  function lineOf(cells: readonly StyledCell[]): string {
    return JSON.stringify(cells.map(([cell, style]) => wrappedCell(cellText(cell, options), style)).join(','))
  }
}

// ---------------------------------------------------------------- streaming

/** Generates a part only when the client has read the one before, so a slow client does not fill memory. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** RFC 9110: the larger weight wins, then the more specific range. CSV is the default. */
function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    return { type, weight: weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '')) || 0 }
  })
  const weigh = (...types: readonly string[]) => {
    const exact = types.flatMap((type) => ranges.find((range) => range.type === type) ?? [])[0]
    return { weight: exact?.weight ?? 0, distance: exact ? types.indexOf(exact.type) : types.length }
  }
  const json = weigh('application/json', 'application/*', '*/*')
  const csv = weigh('text/csv', 'text/*', '*/*')
  return json.weight > csv.weight || (json.weight === csv.weight && json.weight > 0 && json.distance < csv.distance)
}
