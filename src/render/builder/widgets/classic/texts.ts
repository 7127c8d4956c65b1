/** Draws classic widgets that contain what their author wrote: texts, HTML and blocks. */
import { paragraphs } from '../../../text/paragraphs.ts'
import { articleHtml } from '../../elements/content-blocks.ts'
import { trusted } from '../../html/markup.ts'
import { type Child, filled } from '../../html/nodes.ts'
import { serialize } from '../../html/serialize.ts'
import { articleText } from '../content/article-text.ts'
import { WidgetContext } from '../context.ts'
import type { WidgetTable } from '../widget.ts'
import { classicWidget, isChecked } from './instance.ts'

function text(instance: WidgetContext): Child {
  const { settings } = instance
  // Older texts store `filter: true`, newer ones `filter: 'content'`, the visual editor `visual: true`.
  const isFormatted = isChecked(instance, 'filter') || isChecked(instance, 'visual')
  const written = settings.text('text')
  const shown = isFormatted
    ? new WidgetContext({ ...instance, settings: settings.with({ text: paragraphs(written).trim() }) })
    : instance
  return filled(
    'div',
    { class: ['textwidget'] },
    shown.rich('text', '', (safe) => articleText(safe, instance)),
  )
}

/** Matches the comments around blocks in both words: a site with a names preset stores another one. */
const BLOCK = /<!-- (\/?)[a-z]+:(?=[a-z])/g

/** The renderer of articles reads the comments around blocks, which the filter keeps. */
function block(instance: WidgetContext): Child {
  const { pass, scope } = instance
  const drawn = (safe: Child) => {
    const blocks = serialize(safe).replace(BLOCK, '<!-- $1cms:')
    return trusted(articleHtml(blocks, { id: scope.post }, scope, pass))
  }
  return instance.rich('content', '', drawn)
}

export const textWidgets: WidgetTable = {
  'wp-widget-text': classicWidget(text, { isTitleShown: true }),
  'wp-widget-custom_html': classicWidget(
    (instance) => filled('div', { class: ['textwidget', 'custom-html-widget'] }, instance.rich('content')),
    { isTitleShown: true },
  ),
  'wp-widget-block': classicWidget(block),
}
