/** Draws the icons that the text of a post names, such as `<i class="fa fa-phone"></i>`. */
import type { AppContext } from '../../core/declare/app-context.ts'
import { iconsIn, withIcons } from '../../html/icon-tags.ts'
import { createIcons, iconsOf } from '../../services/icons/index.ts'

const maxInText = 500
/** In profiles whose features bring no icons. */
const byDefault = createIcons()

export async function withSetIcons(markup: string, app: Pick<AppContext, 'services'>): Promise<string> {
  const found = [...iconsIn(markup)].slice(0, maxInText)
  if (found.length === 0) return markup
  const draw = iconsOf(app) ?? byDefault
  const credits = new Set<string>()
  const drawn = new Map<string, string>()
  for (const value of found) {
    const answer = await draw({ library: 'fa-solid', value })
    const [, comment, svg = ''] = /^(<!--(?:(?!-->)[\s\S])*-->)?([\s\S]*)$/.exec(answer ?? '') ?? []
    if (svg !== '') drawn.set(value, svg)
    if (comment !== undefined) credits.add(comment)
  }
  return [...credits].join('') + withIcons(markup, (value) => drawn.get(value))
}
