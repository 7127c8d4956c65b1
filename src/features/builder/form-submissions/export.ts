/** Submissions as a file that is sent while it is made: CSV, or the wrapped form for clients that prefer JSON. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { type Result, result, Stream } from '../../../core/declare/result.ts'
import type { Settings } from '../../../site/settings.ts'
import type { Storage, Where } from '../../../storage/contract.ts'
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
  formsAmong,
  orderOf,
  querySubmissions,
  type Sorting,
  windowsOf,
} from './exported-rows.ts'
import { type Filters, type Status, type Submission, toWhere, withStatus } from './model.ts'
import { formLabel, spaced } from './view.ts'

export interface ExportArgs extends Filters, Sorting {
  readonly page: number
  readonly per_page: number
  readonly status: Status
}

interface Export {
  readonly storage: Storage
  readonly settings: Settings
  readonly options: CellOptions
  readonly args: ExportArgs
  /** All that the filters find, whatever page was asked for. */
  readonly where: Where
  /** The first row of the page. */
  readonly first: Submission
}

type ExportCall = Pick<Context, 'storage' | 'settings' | 'app' | 'incoming'>

export async function exportSubmissions(
  { storage, settings, app, incoming }: ExportCall,
  args: ExportArgs,
  options: CellOptions,
): Promise<Result> {
  const where = withStatus(toWhere(args, settings), args.status)
  const offset = (args.page - 1) * args.per_page
  const [first] = await querySubmissions(storage, { where, order: orderOf(args), offset, limit: 1 })
  if (!first) throw new ApiError('nothing_to_export', 'There is nothing to export.', 400)
  const made: Export = { storage, settings, options, args, where, first }
  // A cache must not give one form to who asked for the other.
  const headers = { Vary: 'Origin, Authorization, Cookie, Accept' }
  if (prefersJson(incoming.header('accept'))) {
    return result(new Stream(streamOf(wrappedParts(made)), 'application/json; charset=UTF-8'), { headers })
  }
  const name = `form-submissions-${settings.time.now(app.clock).local.slice(0, 10)}.csv`
  return result(new Stream(streamOf(csvParts(made)), 'text/csv; charset=UTF-8; header=present'), {
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${name}"` },
  })
}

const fixedLabels = ['Form Name (ID)', 'Submission ID', 'Created At', 'User ID', 'User Agent', 'User IP', 'Referrer']

const valuesOf = ({ values }: Submission) => new Map(values.map(({ key, value }) => [key, value]))
const nameOf = ({ formName, elementId }: Submission) => formLabel({ name: formName, elementId })

// ---------------------------------------------------------------- CSV

/**
 * The header is that of all pages together, so that they can be joined. Several forms in one file share the columns that
 * have the same key and label.
 */
async function* csvParts({ storage, settings, options, args, where, first }: Export) {
  const forms = await formsAmong(storage, where)
  const places = [...new Map(forms.flatMap(({ columns }) => columns.map((one) => [placeOf(one), one.label])))]
  const columnsOf = new Map(forms.map(({ elementId, columns }) => [elementId, byPlace(columns)]))
  const header = [...places.map(([, label]) => label), ...fixedLabels]
  yield byteOrderMark + csvLines([header.map((text) => ({ text }))], options)
  const page: Where = { every: [where, between(first, undefined, args)] }
  for await (const window of windowsOf(storage, page, args, args.per_page)) {
    yield csvLines(window.map(row), options)
  }

  function row(submission: Submission): Cell[] {
    const values = valuesOf(submission)
    const columns = columnsOf.get(submission.elementId)
    const cells = places.map(([place]): Cell => {
      const column = columns?.get(place)
      return column ? { text: values.get(column.key) ?? '', isNumber: column.isNumber } : { text: '' }
    })
    const { id, createdAt, userId, userAgent, userIp, referer } = submission
    const fixed = [String(id), spaced(settings.time.toLocal(createdAt)), String(userId), userAgent, userIp, referer]
    return [...cells, ...[nameOf(submission), ...fixed].map((text) => ({ text }))]
  }
}

const placeOf = ({ key, label }: Column) => JSON.stringify([key, label])
const byPlace = (columns: readonly Column[]) => new Map(columns.map((column) => [placeOf(column), column]))

// ---------------------------------------------------------------- the wrapped form

type StyledCell = readonly [cell: Cell, style: WrappedStyle]

/** Interface: one entry for each form, whose lines a client joins to a file of its own. */
async function* wrappedParts({ storage, settings, options, args, where, first }: Export) {
  const [last] = await querySubmissions(storage, {
    where,
    order: orderOf(args),
    offset: args.page * args.per_page - 1,
    limit: 1,
  })
  const page: Where = { every: [where, between(first, last, args)] }
  let before = '{"data":['
  for (const form of await formsAmong(storage, page)) {
    const header: StyledCell[] = [
      ...form.columns.map(({ label }): StyledCell => [{ text: label }, 'value']),
      ...fixedLabels.map((text): StyledCell => [{ text }, 'bare']),
    ]
    yield `${before}{"id":${JSON.stringify(form.elementId)},"content":[${lineOf(header)}`
    const own: Where = { every: [{ field: 'element_id', is: form.elementId }, page] }
    for await (const window of windowsOf(storage, own, args)) {
      yield window.map((submission) => `,${lineOf(cellsOf(submission, form))}`).join('')
    }
    yield `],"mimetype":"text/csv;charset=UTF-8","extension":"csv","form_label":${JSON.stringify(form.label)}}`
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`

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

// ---------------------------------------------------------------- sending

/** A part is made when the one before is on its way: a slow client keeps nothing waiting but its own file. */
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

/** RFC 9110: the larger weight wins, then the one who is named more exactly. In doubt a file is a CSV file. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => /^q\s*=/.test(one))
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
