/** The four colours and fonts of every kit that stores none. */

const systemItems: readonly (readonly [id: string, title: string, color: string, family: string, weight: string])[] = [
  ['primary', 'Primary', '#6EC1E4', 'Roboto', '600'],
  ['secondary', 'Secondary', '#54595F', 'Roboto Slab', '400'],
  ['text', 'Text', '#7A7A7A', 'Roboto', '400'],
  ['accent', 'Accent', '#61CE70', 'Roboto', '500'],
]

export const systemColors = systemItems.map(([id, title, color]) => ({ id, title, value: color }))

const shades: ReadonlyMap<string, string> = new Map([
  ['primary', '#1D769C'],
  ['text', '#6F6F6F'],
  ['accent', '#277E33'],
])

/**
 * Draws the colours of a kit that stores none. Choice: routes show the recorded ones, which are too light for text; pages show darker
 * shades of them, with the contrast of WCAG AA on white and on the background of the theme, and below white text.
 */
export const drawnColors = systemColors.map((item) => ({ ...item, value: shades.get(item.id) ?? item.value }))

export const systemTypography = systemItems.map(([id, title, , family, weight]) => ({
  id,
  title,
  value: { typography_typography: 'custom', typography_font_family: family, typography_font_weight: weight },
}))
