/** Templates of the page builder, which a post, a page or a document names in place of one of the theme. */

/** The document is the whole page: no header, title or footer. */
const canvas = 'builder_canvas'
/** Header and footer are around the document, which takes the full width; there is no title. */
const fullWidth = 'builder_header_footer'
/** The theme decides, as without a template. */
const ofTheme = 'builder_theme'

export const builderTemplates: readonly string[] = [canvas, fullWidth, ofTheme]

export type PageLayout = 'canvas' | 'full-width' | 'theme'

export function layoutOfTemplate(template: unknown): PageLayout {
  if (template === canvas) return 'canvas'
  return template === fullWidth ? 'full-width' : 'theme'
}
