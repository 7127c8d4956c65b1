/** Draws the pictures of the sample site: `node docs/sample-site/images.ts` writes them below `uploads/`. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const wide = 1200
const high = 800

/** The same numbers each time. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const sky = (top: string, bottom: string) =>
  `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="${wide}" height="${high}" fill="url(#sky)"/>`

/** A line of hills across the picture. */
function hills(base: number, swell: number, color: string, seed: number): string {
  const next = random(seed)
  const points = Array.from({ length: 9 }, (_, at) => [at * 150, base - next() * swell] as const)
  const path = points.map(([x, y], at) => {
    if (at === 0) return `M0 ${y}`
    const [px, py] = points[at - 1] as readonly [number, number]
    return `C${px + 75} ${py} ${x - 75} ${y} ${x} ${y}`
  })
  return `<path d="${path.join('')}V${high}H0Z" fill="${color}"/>`
}

function trees(count: number, from: number, to: number, color: string, seed: number): string {
  const next = random(seed)
  return Array.from({ length: count }, () => {
    const [x, y, size] = [next() * wide, from + next() * (to - from), 18 + next() * 26]
    return `<path d="M${x} ${y}l${size} ${size * 2.4}h${-size * 2}z" fill="${color}"/><path d="M${x} ${y + size}l${size * 1.2} ${size * 2.2}h${-size * 2.4}z" fill="${color}"/>`
  }).join('')
}

const circle = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
const box = (x: number, y: number, w: number, h: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`

const swift = (x: number, y: number, size: number) =>
  `<path d="M${x} ${y}q${size * 0.6} ${-size * 0.5} ${size * 1.3} ${-size * 0.2}q${-size * 0.8} ${size * 0.05} ${-size * 1.05} ${size * 0.55}q${-size * 0.1} ${size * 0.4} ${-size * 0.35} ${size * 0.5}q${size * 0.02} ${-size * 0.35} ${-size * 0.1} ${-size * 0.5}q${-size * 0.5} ${-size * 0.35} ${-size * 1.2} ${-size * 0.2}q${size * 0.8} ${-size * 0.5} ${size * 1.4} ${-size * 0.15}z" fill="#20302e"/>`

const valley = `${sky('#f3c98b', '#fbeed3')}${circle(860, 250, 92, '#fff3d0')}${hills(420, 130, '#b9c7a7', 7)}${hills(500, 120, '#8fae8c', 21)}${trees(14, 430, 500, '#5f8a6f', 5)}${hills(590, 90, '#5f8a6f', 3)}<path d="M520 560c120 40 40 90 160 120s-60 60-120 120h300c20-60 160-90 20-140s-60-70-240-100z" fill="#cfe3df"/><path d="M600 640c60 20 20 60 60 90M700 700c20 20 10 40-10 80" stroke="#fff" stroke-width="6" fill="none" stroke-linecap="round" opacity=".8"/>${trees(10, 560, 640, '#2f5d50', 11)}${box(300, 520, 70, 60, '#f6e7cd')}<path d="M290 522l45-40 45 40z" fill="#a8431f"/>${box(325, 545, 18, 35, '#5b3a24')}${box(385, 535, 52, 45, '#fff7e6')}<path d="M377 537l34-30 34 30z" fill="#8a3a1d"/>${hills(740, 50, '#254a41', 40)}`

const weir = `${sky('#c9d6d3', '#eef0e6')}${hills(330, 90, '#9db39b', 2)}${trees(18, 240, 330, '#56806a', 9)}${hills(400, 40, '#6f8f72', 15)}<path d="M0 400h1200v130H0z" fill="#7fa3a0"/><path d="M0 520h1200l-40 120H40z" fill="#dfeceb"/>${Array.from({ length: 38 }, (_, at) => `<path d="M${30 + at * 31} 522q${8 - (at % 5) * 4} 60 ${-4 + (at % 3) * 4} 118" stroke="#fff" stroke-width="${5 + (at % 4) * 3}" fill="none" opacity=".85"/>`).join('')}${box(0, 505, wide, 20, '#6d6258')}<path d="M0 640h1200v160H0z" fill="#5f8a8c"/>${Array.from({ length: 22 }, (_, at) => `<ellipse cx="${(at * 137) % 1200}" cy="${655 + ((at * 41) % 110)}" rx="${40 + (at % 4) * 22}" ry="7" fill="#fff" opacity=".45"/>`).join('')}${box(150, 330, 34, 200, '#f7f4ea')}${Array.from({ length: 9 }, (_, at) => box(150, 345 + at * 20, at % 2 ? 14 : 24, 4, '#222')).join('')}`

const loaf = `${box(0, 0, wide, high, '#efe2cc')}${box(0, 0, wide, 300, '#d9c3a0')}<g opacity=".35">${Array.from({ length: 9 }, (_, at) => box(at * 140, 0, 70, 300, '#c9ae86')).join('')}</g><ellipse cx="600" cy="640" rx="480" ry="90" fill="#8a5a34"/><ellipse cx="600" cy="622" rx="480" ry="90" fill="#b27a4a"/><path d="M250 590c-30-220 150-330 350-330s380 110 350 330c-10 50-690 50-700 0z" fill="#5b3622"/><path d="M275 570c-20-190 140-285 325-285s345 95 325 285z" fill="#7a4a2c"/>${[360, 480, 600, 720, 840].map((x) => `<path d="M${x} 340q40 90 0 190" stroke="#e9cfa0" stroke-width="16" fill="none" stroke-linecap="round"/>`).join('')}<path d="M820 600c10-90 90-130 150-120s90 60 80 130z" fill="#5b3622"/><path d="M835 603c10-70 75-105 130-97s75 50 68 103z" fill="#c89a63"/>${Array.from({ length: 16 }, (_, at) => circle(860 + ((at * 53) % 150), 530 + ((at * 31) % 66), 3 + (at % 3) * 2, '#8a5a34')).join('')}`

const spokes = Array.from({ length: 24 }, (_, at) => {
  const angle = (at * Math.PI) / 12
  return `<line x1="600" y1="400" x2="${600 + Math.cos(angle + 0.25) * 250}" y2="${400 + Math.sin(angle + 0.25) * 250}" stroke="#b8bdb9" stroke-width="4"/>`
}).join('')
const workbench = `${box(0, 0, wide, high, '#2f4a48')}${Array.from({ length: 7 }, (_, at) => box(60 + at * 160, 60, 14, 150 + (at % 3) * 40, at % 2 ? '#c9763f' : '#d8c69a', 'rx="7"')).join('')}${Array.from({ length: 7 }, (_, at) => circle(67 + at * 160, 60, 16, '#20312f')).join('')}${box(0, 660, wide, 140, '#8b5b38')}${box(0, 660, wide, 22, '#a87348')}<path d="M560 400v270M640 400v270" stroke="#b3402a" stroke-width="22"/>${box(500, 650, 200, 26, '#8f2f1e')}${circle(600, 400, 262, 'none', 'stroke="#1c2827" stroke-width="34"')}${circle(600, 400, 240, 'none', 'stroke="#cfd4d0" stroke-width="12"')}${spokes}${circle(600, 400, 30, '#e4e7e3')}${circle(600, 400, 12, '#4b5654')}${box(160, 600, 130, 60, '#d8c69a', 'rx="6"')}${box(880, 560, 60, 100, '#c9763f', 'rx="6"')}<path d="M960 640l150-30" stroke="#d6dad6" stroke-width="18" stroke-linecap="round"/>`

const stall = (x: number, color: string) => {
  const stripes = Array.from(
    { length: 6 },
    (_, at) => `<path d="M${x + at * 45} 360h45v60a22 22 0 0 1-45 0z" fill="${at % 2 ? '#fdf6e6' : color}"/>`,
  ).join('')
  const fruit = Array.from({ length: 9 }, (_, at) =>
    circle(x + 30 + at * 26, 560 - (at % 2) * 12, 16, ['#c0492b', '#d99a2b', '#6f8f3d'][at % 3] as string),
  ).join('')
  return `${box(x + 8, 380, 10, 260, '#6b4a30')}${box(x + 252, 380, 10, 260, '#6b4a30')}${stripes}${fruit}${box(x, 570, 270, 80, '#8b6240')}${box(x, 570, 270, 14, '#a87c54')}`
}
const market = `${sky('#bcd9df', '#f4ead4')}${[0, 1, 2, 3, 4].map((at) => `${box(at * 250 - 20, 200 + (at % 2) * 40, 240, 400, ['#e8d6b8', '#d9b48f', '#efe3c8', '#cfa98a', '#e6cfa8'][at] as string)}<path d="M${at * 250 - 35} ${202 + (at % 2) * 40}l135-90 135 90z" fill="#8a4a32"/>${[0, 1, 2].map((row) => box(at * 250 + 20 + row * 66, 250 + (at % 2) * 40, 34, 52, '#6d8a8c')).join('')}`).join('')}${box(0, 600, wide, 200, '#cdbfa4')}${Array.from({ length: 40 }, (_, at) => `<ellipse cx="${(at * 97) % 1200}" cy="${670 + ((at * 37) % 120)}" rx="34" ry="9" fill="#bba988"/>`).join('')}${stall(60, '#a8431f')}${stall(465, '#2f6b60')}${stall(870, '#c58a1f')}`

const bridge = `${sky('#dfe6d8', '#f6efdc')}${hills(420, 120, '#a8bb98', 33)}${hills(500, 70, '#7c9d7e', 12)}<path d="M0 560h1200v240H0z" fill="#86aaa6"/>${Array.from({ length: 16 }, (_, at) => `<ellipse cx="${(at * 173) % 1200}" cy="${610 + ((at * 47) % 170)}" rx="90" ry="6" fill="#cfe1dd" opacity=".8"/>`).join('')}<path d="M-20 560q90-60 180-40v280H-20zM1220 560q-90-60-180-40v280h180z" fill="#4d6f57"/><path d="M110 520q490-170 980 0" stroke="#6b4a2e" stroke-width="26" fill="none"/><path d="M110 440q490-170 980 0" stroke="#8a6340" stroke-width="12" fill="none"/>${Array.from(
  { length: 23 },
  (_, at) => {
    const t = (at + 0.5) / 23
    const x = 110 + 980 * t
    const y = 520 - 340 * t * (1 - t)
    return `<line x1="${x}" y1="${y}" x2="${x}" y2="${y - 82}" stroke="#8a6340" stroke-width="8"/>`
  },
).join('')}<path d="M330 450v230M870 450v230" stroke="#5a3d26" stroke-width="26"/>${trees(6, 380, 440, '#3f6b52', 8)}`

const jar = (x: number, color: string, label: string) =>
  `${box(x, 330, 190, 270, color, 'rx="34"')}${box(x + 14, 350, 24, 220, '#fff', 'rx="12" opacity=".25"')}${box(x + 6, 288, 178, 54, '#c9b07a', 'rx="10"')}<path d="M${x - 10} 290q105-50 210 0l14 46q-119-36-238 0z" fill="${label}"/>${box(x + 34, 420, 122, 96, '#fbf3df', 'rx="6"')}${[0, 1, 2].map((row) => box(x + 52, 440 + row * 22, 86 - row * 18, 6, '#8a7a58')).join('')}`
const jam = `${box(0, 0, wide, high, '#e9dcc3')}${box(0, 600, wide, 200, '#7a5335')}${box(0, 600, wide, 18, '#96694a')}${jar(130, '#5c1f3b', '#b65a4a')}${jar(420, '#742848', '#dcd3b4')}${jar(710, '#4b1832', '#5f8a6f')}${[960, 1040, 1110, 1000, 1080].map((x, at) => `${circle(x, 575 - (at > 2 ? 58 : 0), 42, at % 2 ? '#4d2a5e' : '#63356f')}<path d="M${x} ${535 - (at > 2 ? 58 : 0)}q10-22 30-26" stroke="#5a4526" stroke-width="6" fill="none"/>`).join('')}`

const tower = `${sky('#f0b98b', '#f9e6c8')}${hills(640, 70, '#7f8f78', 17)}${box(520, 300, 150, 420, '#8c7a66')}<path d="M505 305l90-190 90 190z" fill="#4b4a48"/>${box(570, 380, 50, 90, '#3a332c', 'rx="25"')}${circle(595, 530, 34, '#efe4cc')}<path d="M595 530v-22M595 530l14 10" stroke="#3a332c" stroke-width="5"/>${box(660, 470, 330, 250, '#9c8a74')}<path d="M640 475l60-90h260l60 90z" fill="#5d5750"/>${[720, 800, 880].map((x) => box(x, 540, 40, 110, '#4a4038', 'rx="20"')).join('')}${hills(740, 40, '#4d5f4e', 6)}${[
  [180, 170, 42],
  [300, 260, 30],
  [380, 120, 36],
  [780, 140, 46],
  [900, 250, 32],
  [1010, 150, 38],
  [240, 380, 26],
  [860, 380, 24],
  [1080, 320, 28],
  [120, 300, 24],
  [690, 230, 26],
]
  .map(([x, y, size]) => swift(x as number, y as number, size as number))
  .join('')}`

interface Picture {
  readonly file: string
  readonly svg: string
  /** The height of the file; the width is 1200. */
  readonly height?: number
}

const pictures: readonly Picture[] = [
  { file: '2024/03/weir.jpg', svg: weir },
  { file: '2024/04/rye-loaf.jpg', svg: loaf },
  { file: '2024/05/workbench.jpg', svg: workbench },
  { file: '2024/06/market-square.jpg', svg: market, height: 675 },
  { file: '2024/09/valley-morning.jpg', svg: valley },
  { file: '2024/09/footbridge.jpg', svg: bridge },
  { file: '2024/09/plum-jam.jpg', svg: jam },
  { file: '2024/09/swifts.jpg', svg: tower },
]

for (const { file, svg, height = high } of pictures) {
  const path = fileURLToPath(new URL(`uploads/${file}`, import.meta.url))
  mkdirSync(dirname(path), { recursive: true })
  const cut = `0 ${(high - height) / 2} ${wide} ${height}`
  const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${cut}" width="${wide}" height="${height}">${svg}</svg>`
  await sharp(Buffer.from(source)).jpeg({ quality: 78, mozjpeg: true }).toFile(path)
}
