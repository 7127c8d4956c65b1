/** Cleans an svg file before it is stored: writes the tree that `sanitizeSvg` returns as a file. */
import { type Attributes, type Child, type HtmlElement, isList, Written } from '../html/nodes.ts'
import { serialize } from '../html/serialize.ts'
import { sanitizeSvg } from './sanitize.ts'

interface CleanSvg {
  readonly source: string
  /** The extent in pixels, where the file states one. */
  readonly width?: number
  readonly height?: number
}

/** Returns undefined for a file that is no well-formed svg, draws nothing, or draws too much. */
export function cleanSvg(source: string): CleanSvg | undefined {
  const root = sanitizeSvg(source)
  if (!root || !hasShape(root)) return undefined
  const attributes: Attributes = { xmlns: 'http://www.w3.org/2000/svg', ...root.attributes }
  return { source: serialize({ ...root, attributes }), ...extentOf(root.attributes) }
}

const SHAPES: ReadonlySet<string> = new Set('path rect circle ellipse line polyline polygon text use'.split(' '))

const hasShape = (child: Child): boolean =>
  typeof child === 'object' &&
  !isList(child) &&
  'tag' in child &&
  (SHAPES.has(child.tag) || child.children.some(hasShape))

const PIXELS: ReadonlyMap<string, number> = new Map([
  ...([
    ['', 1],
    ['px', 1],
    ['pt', 4 / 3],
    ['pc', 16],
    ['in', 96],
    ['cm', 96 / 2.54],
    ['mm', 96 / 25.4],
  ] as const),
  ...([
    ['em', 16],
    ['rem', 16],
  ] as const),
])
const maxExtent = 100_000

/** Reads width and height; the box of the drawing fills in for what they leave open. */
function extentOf({ width, height, viewBox }: HtmlElement['attributes']): Pick<CleanSvg, 'width' | 'height'> {
  const [, , boxWidth = 0, boxHeight = 0] = textIn(viewBox)
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined
  const wide = pixelsOf(width)
  const high = pixelsOf(height)
  const found =
    wide !== undefined && high !== undefined
      ? [wide, high]
      : ratio === undefined
        ? []
        : wide !== undefined
          ? [wide, wide / ratio]
          : high !== undefined
            ? [high * ratio, high]
            : [boxWidth, boxHeight]
  const [w = 0, h = 0] = found.map((value) => Math.max(1, Math.round(value)))
  return w > 0 && h > 0 && w <= maxExtent && h <= maxExtent ? { width: w, height: h } : {}
}

function pixelsOf(value: Attributes[string]): number | undefined {
  const [, number = '', unit = ''] = /^\+?([\d.]+(?:e\d+)?)\s*([a-z]*)$/i.exec(textIn(value).trim()) ?? []
  const pixels = Number(number) * (PIXELS.get(unit.toLowerCase()) ?? Number.NaN)
  return number !== '' && pixels > 0 && Number.isFinite(pixels) ? pixels : undefined
}

const textIn = (value: Attributes[string]): string => (value instanceof Written ? value.text : '')
