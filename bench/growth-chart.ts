/** A chart of cost against size, both logarithmic: a flat line is a list whose cost does not depend on the size. */

export interface Line {
  readonly name: string
  readonly points: readonly { readonly size: number; readonly microseconds: number }[]
}

interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

const colors = [
  '#2f6db3',
  '#b3472f',
  '#2f7d4f',
  '#8a5bb0',
  '#b08a2f',
  '#3f9aa0',
  '#a03f6f',
  '#555555',
  '#7a9a2f',
  '#c07a50',
]
const panelWidth = 330
const plot = { left: 56, top: 34, width: 260, height: 260 }
const lowest = 1
const highest = 1_000_000

export function growthChart(panels: readonly Panel[]): string {
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const sizes = [
    ...new Set(panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ size }) => size)))),
  ]
  const range = [Math.min(...sizes), Math.max(...sizes)] as const
  const colorOf = (name: string) => colors[names.indexOf(name) % colors.length] as string
  const height = plot.top + plot.height + 50 + Math.ceil(names.length / 3) * 20
  const legend = names.map((name, at) => {
    const [x, y] = [20 + (at % 3) * 320, plot.top + plot.height + 52 + Math.floor(at / 3) * 20]
    return `<rect x="${x}" y="${y - 9}" width="22" height="4" y2="0" fill="${colorOf(name)}"/><text x="${x + 30}" y="${y - 2}">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.max(panels.length * panelWidth, 980)}" height="${height}" font-family="sans-serif" font-size="12" fill="#222222">
<title>Cost of lists against the number of posts</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.map((panel, at) => panelOf(panel, at * panelWidth, range, colorOf)).join('\n')}
${legend.join('\n').replaceAll(' y2="0"', '')}
</svg>
`
}

function panelOf(
  { title, lines }: Panel,
  x: number,
  [from, to]: readonly [number, number],
  colorOf: (name: string) => string,
): string {
  const left = x + plot.left
  const share = (value: number, low: number, high: number) =>
    high === low ? 0.5 : Math.log(value / low) / Math.log(high / low)
  const xOf = (size: number) => left + share(size, from, to) * plot.width
  const yOf = (value: number) =>
    plot.top + plot.height * (1 - share(Math.min(Math.max(value, lowest), highest), lowest, highest))
  const rules = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].map(
    (value) =>
      `<line x1="${left}" x2="${left + plot.width}" y1="${yOf(value)}" y2="${yOf(value)}" stroke="#dddddd"/><text x="${left - 6}" y="${yOf(value) + 4}" text-anchor="end">${durationOf(value)}</text>`,
  )
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ size }) => size)))]
  const sizeLabels = sizes.map(
    (size) => `<text x="${xOf(size)}" y="${plot.top + plot.height + 18}" text-anchor="middle">${countOf(size)}</text>`,
  )
  const drawn = lines.map(({ name, points }) => {
    const coordinates = points.map(
      ({ size, microseconds }) => `${xOf(size).toFixed(1)},${yOf(microseconds).toFixed(1)}`,
    )
    const dots = coordinates.map((pair) => {
      const [cx, cy] = pair.split(',')
      return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colorOf(name)}"/>`
    })
    return `<polyline points="${coordinates.join(' ')}" fill="none" stroke="${colorOf(name)}" stroke-width="2"/>${dots.join('')}`
  })
  return [`<text x="${left}" y="20" font-weight="bold">${title}</text>`, ...rules, ...sizeLabels, ...drawn].join('\n')
}

const durationOf = (microseconds: number) =>
  microseconds < 1000 ? `${microseconds} µs` : microseconds < 1_000_000 ? `${microseconds / 1000} ms` : '1 s'

const countOf = (size: number) => (size < 1_000_000 ? `${size / 1000} k` : `${size / 1_000_000} M`)
