/** The text of a comment as HTML, unfiltered. */
import { paragraphs } from './paragraphs.ts'
import { faces } from './smilies.ts'
import { typeset } from './typography.ts'

/** Paragraphs and typography; neither blocks nor shortcodes count in comments. */
export const renderComment = (content: string): string => faces(typeset(paragraphs(content)))
