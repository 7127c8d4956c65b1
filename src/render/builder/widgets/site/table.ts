/** Lists the site widgets: theme parts, lists, menus, forms, templates. Add a family here. */

import { idOf } from '../../document/values.ts'
import { drawContent } from '../../elements/post-content.ts'
import { drawReferred } from '../../elements/reference.ts'
import { filtered } from '../../html/markup.ts'
import { filled } from '../../html/nodes.ts'
import { applyShortcodes } from '../../shortcodes/apply.ts'
import { currentPost, isLocked } from '../../template-context/current-post.ts'
import { formWidgets } from '../forms/form.ts'
import { kitFont, type WidgetTable, widget } from '../widget.ts'
import { accessWidgets } from './access.ts'
import { breadcrumbWidgets } from './breadcrumbs.ts'
import { commentWidgets } from './comments.ts'
import { contentsWidgets } from './contents.ts'
import { filterWidgets } from './filter.ts'
import { loopWidgets } from './loop.ts'
import { menuWidgets } from './menu.ts'
import { panelWidgets } from './panels.ts'
import { portfolioWidgets } from './portfolio.ts'
import { postInfoWidgets } from './post-info.ts'
import { postsWidgets } from './posts.ts'
import { searchWidgets } from './search.ts'
import { shopWidgets } from './shop.ts'
import { sitemapWidgets } from './sitemap.ts'
import { themeWidgets } from './theme.ts'

// ---------------------------------------------------------------- widgets that show another document

const template = widget({
  html: ({ settings, scope, pass }) =>
    filled('div', { class: ['builder-template'] }, drawReferred(idOf(settings.value('template_id')), scope, pass)),
})

const shortcode = widget({
  defaults: kitFont,
  html: ({ settings, scope, pass }) =>
    filled(
      'div',
      { class: ['builder-shortcode'] },
      applyShortcodes(settings.text('shortcode'), { pass, scope, write: filtered }),
    ),
})

const postContent = widget({
  defaults: kitFont,
  html: ({ scope, pass }) => {
    const post = currentPost(scope, pass)
    return post && !isLocked(post, pass) ? drawContent(post, scope, pass) : undefined
  },
})

const templateWidgets: WidgetTable = { template, shortcode, 'theme-post-content': postContent }

// ---------------------------------------------------------------- the table

export const siteWidgets: WidgetTable = {
  ...themeWidgets,
  ...templateWidgets,
  ...postsWidgets,
  ...loopWidgets,
  ...formWidgets,
  ...menuWidgets,
  ...searchWidgets,
  ...postInfoWidgets,
  ...portfolioWidgets,
  ...breadcrumbWidgets,
  ...contentsWidgets,
  ...accessWidgets,
  ...panelWidgets,
  ...shopWidgets,
  ...sitemapWidgets,
  ...filterWidgets,
  ...commentWidgets,
}
