/** Measures the contrasts of texts and controls on a page. */

export interface Contrast {
  readonly name: string
  readonly contrast: number
  readonly least: number
}

/** Runs in the page: the contrast of each text (at least 4.5) and each border of a control (at least 3) by WCAG 2. */
export function contrasts(selector = 'h1, p, li, label, input:not([type=hidden]), button, .button'): Contrast[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (colour: string): readonly number[] => {
    if (!canvas) throw new Error('no canvas')
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (colour: readonly number[]) => {
    const [r = 0, g = 0, b = 0] = colour.map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ratio = (one: string, other: string) => {
    const [dark = 0, bright = 0] = [luminance(rgba(one)), luminance(rgba(other))].sort((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  }
  const behind = (element: Element | null): string => {
    if (!element) return 'white'
    const { backgroundColor } = getComputedStyle(element)
    return rgba(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor
  }
  return [...document.querySelectorAll(selector)].flatMap((one) => {
    const name = `${one.tagName} ${one.textContent}`
    const text = { name, contrast: ratio(getComputedStyle(one).color, behind(one)), least: 4.5 }
    if (!one.matches('input, select, textarea, button, .button')) return [text]
    const border = ratio(getComputedStyle(one).borderTopColor, behind(one.parentElement))
    return [text, { name: `border of ${name}`, contrast: border, least: 3 }]
  })
}
