/** Draws the calendar of a month, whose days lead to their posts, for blocks and classic widgets. */

import { type Child, h } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { formatDate, localDay } from '../template-context/dates.ts'
import { type ArchiveEntry, postsOfMonth } from './archives.ts'

/** 2024-01-01 was a Monday. */
const WEEK = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-06', '2024-01-07']

interface ShownMonth {
  /** Default: the current month. */
  readonly year?: number | undefined
  readonly month?: number | undefined
  /** 0: Sunday. Default: Monday. */
  readonly firstDay?: number
}

/** Returns the table and the links to the months around it. */
export function calendarTable({ year, month, firstDay = 1 }: ShownMonth, pass: Pass): Child {
  const today = localDay(pass)
  const isGiven = year !== undefined && month !== undefined && month >= 1 && month <= 12 && year >= 1 && year <= 9999
  const [y = '', m = ''] = isGiven
    ? [String(year).padStart(4, '0'), String(month).padStart(2, '0')]
    : today.split('-').slice(0, 2)
  const posts = postsOfMonth(y, m, pass)
  const first = new Date(`${y}-${m}-01T00:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const lead = (first.getUTCDay() - firstDay + 7) % 7
  const day = (number: number): Child => {
    const titles = posts.titles.get(number)
    const date = `${y}-${m}-${String(number).padStart(2, '0')}`
    const label = `Posts of ${formatDate(`${date}T00:00:00`, 'F j, Y', pass)}`
    const shown = titles ? h('a', { href: posts.addressOf(number), 'aria-label': label }, number) : number
    return h('td', { id: date === today ? 'today' : undefined }, shown)
  }
  const cells: Child[] = [
    ...(lead > 0 ? [h('td', { colspan: lead, class: ['pad'] }, '\u00a0')] : []),
    ...Array.from({ length }, (_, index) => day(index + 1)),
  ]
  const rest = (7 - ((lead + length) % 7)) % 7
  if (rest > 0) cells.push(h('td', { class: ['pad'], colspan: rest }, '\u00a0'))
  const days = WEEK.map((_, index) => WEEK[(index + firstDay + 6) % 7] ?? '')
  return [
    h(
      'table',
      { class: ['cms-calendar-table'] },
      h('caption', {}, formatDate(`${y}-${m}-01T00:00:00`, 'F Y', pass)),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          days.map((date) => {
            const name = formatDate(`${date}T00:00:00`, 'l', pass)
            return h('th', { scope: 'col', 'aria-label': name }, name.slice(0, 1))
          }),
        ),
      ),
      h('tbody', {}, rowsOf(cells, lead)),
    ),
    h(
      'nav',
      { 'aria-label': 'Previous and next months', class: ['cms-calendar-nav'] },
      neighbour(posts.before, 'prev', (label) => ['« ', label]),
      '\n',
      h('span', { class: ['pad'] }, '\u00a0'),
      '\n',
      neighbour(posts.behind, 'next', (label) => [label, ' »']),
    ),
  ]
}

const neighbour = (entry: ArchiveEntry | undefined, side: string, written: (label: Child) => Child): Child =>
  h(
    'span',
    { class: [`cms-calendar-nav-${side}`] },
    entry ? h('a', { href: entry.address }, written(entry.label)) : '\u00a0',
  )

/** The first cell may span several days. */
function rowsOf(cells: readonly Child[], lead: number): readonly Child[] {
  const first = lead > 0 ? 8 - lead : 7
  const rows = [cells.slice(0, first)]
  for (let at = first; at < cells.length; at += 7) rows.push(cells.slice(at, at + 7))
  return rows.map((row) => h('tr', {}, row))
}
