/** Renders the text of a comment as HTML; the caller filters it. */
import type { Settings } from '../../site/settings.ts'
import { paragraphs } from './paragraphs.ts'
import { faces } from './smilies.ts'
import { typeset } from './typography.ts'

/** Applies paragraphs and typography; comments have neither blocks nor shortcodes. */
export function renderComment(content: string, { useSmilies }: Pick<Settings, 'useSmilies'>): string {
  const html = typeset(paragraphs(content))
  return useSmilies ? faces(html) : html
}
