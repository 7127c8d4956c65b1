/** The rules of texts by the settings of a site. */
import type { Settings } from '../../site/settings.ts'
import type { Render } from '../index.ts'

/** Interface: faces stay as typed where `use_smilies` is off. */
export function bySettings(render: Render, { useSmilies }: Pick<Settings, 'useSmilies'>): Render {
  if (useSmilies) return render
  return {
    title: (raw) => render.title(raw),
    content: (raw, context) => render.content(raw, { ...context, faces: false }),
    excerpt: (post, options) => render.excerpt(post, { ...options, faces: false }),
  }
}
