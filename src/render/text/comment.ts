/** The text of a comment as HTML, unfiltered. */
import type { Settings } from '../../site/settings.ts'
import { paragraphs } from './paragraphs.ts'
import { faces } from './smilies.ts'
import { typeset } from './typography.ts'

/** Paragraphs and typography; neither blocks nor shortcodes count in comments. */
export function renderComment(content: string, { useSmilies }: Pick<Settings, 'useSmilies'>): string {
  const html = typeset(paragraphs(content))
  return useSmilies ? faces(html) : html
}
