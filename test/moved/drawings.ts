/** Drawings of the fixtures, as SVG: simple scenes in flat colours, of which the harness makes JPEG and PNG files. */

const svg = (width: number, height: number, inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`

const box = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`

const disc = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

/** Draws a harbour at dusk: sky, sun, sea, and a row of houses. */
export function harbour(width = 1600, height = 1000): string {
  const sea = height * 0.62
  const houses = Array.from({ length: 9 }, (_, at) => {
    const wide = width / 9
    const high = height * (0.14 + ((at * 7) % 5) * 0.035)
    const fill = ['#2b3a4a', '#34495e', '#3d566e'][at % 3] ?? '#34495e'
    const window = box(at * wide + wide * 0.4, sea - high + 30, wide * 0.16, 40, '#f6c667')
    return box(at * wide + 6, sea - high, wide - 12, high, fill) + window
  })
  return svg(
    width,
    height,
    `<defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#33506b"/><stop offset="1" stop-color="#f2a65a"/></linearGradient></defs>${box(0, 0, width, sea, 'url(#g)')}${disc(width * 0.7, sea - 60, 90, '#ffe2a8')}${houses.join('')}${box(0, sea, width, height - sea, '#1d3345')}${box(0, sea + 60, width, 4, '#3a5b75')}${box(0, sea + 150, width, 4, '#3a5b75')}`,
  )
}

/** A plate from above, with food of a colour. */
export const plate = (food: string, table = '#7a5c43'): string =>
  svg(
    900,
    675,
    `${box(0, 0, 900, 675, table)}${disc(450, 340, 260, '#00000022')}${disc(450, 332, 250, '#f7f3ea')}${disc(450, 332, 190, '#ece5d6')}${disc(410, 310, 92, food)}${disc(500, 360, 70, food)}${disc(470, 280, 34, '#5d8a4a')}${disc(380, 380, 26, '#d9b44a')}`,
  )

/** A portrait: shoulders and head before a wall. */
export const portrait = (coat: string, wall: string): string =>
  svg(
    600,
    600,
    `${box(0, 0, 600, 600, wall)}<ellipse cx="300" cy="620" rx="230" ry="220" fill="${coat}"/>${disc(300, 260, 120, '#d9a47e')}<path d="M180 250a120 130 0 0 1 240 0c-40-60-190-70-240 0z" fill="#3b2a20"/>`,
  )

/** Spools of thread on a shelf. */
export const spools = (first: string, second: string): string =>
  svg(
    1200,
    900,
    `${box(0, 0, 1200, 900, '#efe6da')}${box(0, 700, 1200, 60, '#8d6b4f')}${[0, 1, 2, 3].map((at) => `${box(130 + at * 250, 330, 180, 40, '#b58b63')}${box(150 + at * 250, 370, 140, 290, at % 2 === 0 ? first : second)}${box(130 + at * 250, 660, 180, 40, '#b58b63')}`).join('')}`,
  )

/** A facade with a grid of windows. */
export const facade = (wall: string, window: string, rows = 5): string =>
  svg(
    1200,
    900,
    `${box(0, 0, 1200, 900, '#c9d6df')}${box(180, 90, 840, 810, wall)}${Array.from({ length: rows * 5 }, (_, at) => box(240 + (at % 5) * 155, 140 + Math.floor(at / 5) * (700 / rows), 95, 480 / rows, window)).join('')}`,
  )

/** A word mark with a shape, as an SVG file that a site inlines or shows. */
export const mark = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 48" width="160" height="48"><path d="M4 40 24 8l20 32z" fill="${fill}"/><path d="M30 40 44 18l14 22z" fill="${fill}" opacity=".6"/><rect x="72" y="18" width="84" height="12" rx="6" fill="${fill}"/></svg>`
