/** Functions that run inside a page of the browser. Each is sent there as source, so it uses nothing from outside itself. */

export interface Layout {
  /** Pairs of texts that lie over each other, as `first | second`. */
  readonly overlaps: readonly string[]
  /** Elements that reach beyond the right or left edge, with the number of pixels; the page's own width first. */
  readonly overflows: readonly string[]
}

/**
 * Compares the boxes of all visible lines of text with each other. A text counts as visible where the element at its middle is its
 * own or one inside or around it: the back of a card that flips, and the slide behind another one, are not.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the function is serialized into the page as a whole
export function layoutOf(): Layout {
  const texts: { readonly owner: Element; readonly text: string; readonly boxes: readonly DOMRect[] }[] = []
  const isHidden = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { visibility, display, opacity, position, clipPath } = getComputedStyle(at)
      if (visibility !== 'visible' || display === 'none' || opacity === '0') return true
      const { width, height } = at.getBoundingClientRect()
      // Texts for screen readers are cut down to a pixel.
      if ((position === 'absolute' && width <= 1 && height <= 1) || clipPath === 'inset(50%)') return true
    }
    return false
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
    const owner = node.parentElement
    if (text === '' || !owner || owner.closest('script,style,noscript,template,option') || isHidden(owner)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 2 && height > 2)
    if (boxes.length > 0) texts.push({ owner, text, boxes })
  }
  const overlaps: string[] = []
  for (const [index, first] of texts.entries()) {
    for (const second of texts.slice(index + 1)) {
      const meets = first.boxes.some((a) =>
        second.boxes.some((b) => {
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
          const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
          // Boxes of lines are higher than their letters: neighbours may touch by a third.
          return wide > 3 && high > Math.min(a.height, b.height) * 0.35
        }),
      )
      if (meets) overlaps.push(`${first.text.slice(0, 40)} | ${second.text.slice(0, 40)}`)
    }
  }
  const wide = document.documentElement.clientWidth
  const overflows: string[] = []
  const beyond = document.documentElement.scrollWidth - wide
  if (beyond > 1) overflows.push(`the page: ${beyond}`)
  const isCut = (element: Element): boolean => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true
    return false
  }
  for (const { owner, text, boxes } of texts) {
    const over = Math.max(...boxes.map(({ right }) => right)) - wide
    if (over > 1 && !isCut(owner)) overflows.push(`${text.slice(0, 40)}: ${Math.round(over)}`)
  }
  return { overlaps, overflows }
}
