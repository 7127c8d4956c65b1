/** A bar chart of the targets on a logarithmic scale; the line in the middle is the target. */
import { median } from './statistics.ts'
import type { Target } from './targets.ts'
import { isMet } from './verdict.ts'

const rowHeight = 26
const labelWidth = 460
const barWidth = 420
/** The scale runs from a quarter of the target to four times the target. */
const span = 4

export function chartOf(targets: readonly Target[]): string {
  const height = targets.length * rowHeight + 40
  const middle = labelWidth + barWidth / 2
  const rows = targets.map((target, index) => rowOf(target, index * rowHeight + 30))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${labelWidth + barWidth + 90}" height="${height}" font-family="sans-serif" font-size="12">
<title>How far each target is reached</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${middle}" y="18" text-anchor="middle" fill="#555555">target</text>
${rows.join('\n')}
<line x1="${middle}" y1="24" x2="${middle}" y2="${height - 10}" stroke="#333333" stroke-dasharray="3 3"/>
</svg>
`
}

function rowOf(target: Target, y: number): string {
  const middle = labelWidth + barWidth / 2
  const end = middle + offsetOf(scoreOf(target, median(target.reached)))
  const [low, high] = [Math.min(...target.reached), Math.max(...target.reached)]
    .map((value) => middle + offsetOf(scoreOf(target, value)))
    .sort((a, b) => a - b) as [number, number]
  const color = isMet(target) ? '#2f7d4f' : '#b3472f'
  const label = `${target.what} / ${target.than}`
  return [
    `<text x="${labelWidth - 10}" y="${y + 13}" text-anchor="end" fill="#222222">${escaped(label)}</text>`,
    `<rect x="${Math.min(middle, end)}" y="${y + 2}" width="${Math.abs(end - middle)}" height="14" fill="${color}"/>`,
    `<line x1="${low}" y1="${y + 9}" x2="${high}" y2="${y + 9}" stroke="#111111"/>`,
    `<text x="${labelWidth + barWidth + 10}" y="${y + 13}" fill="#222222">${median(target.reached).toPrecision(3)}</text>`,
  ].join('')
}

/** 1 at the target, more if it is exceeded. */
const scoreOf = ({ sense, bound }: Target, value: number) => (sense === 'at least' ? value / bound : bound / value)

function offsetOf(score: number): number {
  const bounded = Math.min(Math.max(score, 1 / span), span)
  return (Math.log(bounded) / Math.log(span)) * (barWidth / 2)
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
