/** Renders stored texts whose blocks and shortcodes show other rows, with the pass that draws the document or the text. */

import { piecesOf } from '../../blocks/blocks.ts'
import { layoutOf } from '../../blocks/layout.ts'
import type { ContentDrawer, DrawnBlock, RenderContext } from '../../render.ts'
import { limits } from '../document/limits.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import { serialize } from '../html/serialize.ts'
import type { DrawnPiece, Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { shortcodeDrawer, shortcodesOf } from './content-shortcodes.ts'

/** Renders the content of the current post of the scope. */
export function articleHtml(content: string, context: RenderContext, scope: Scope, pass: Pass): string {
  const shown = pass.hasLayout ? { ...context, hasLayout: true } : context
  const draw = pass.tables.isDrawn(content) ? { draw: createDrawer({ ...scope, around: {} }, 0, pass) } : {}
  const html = pass.text.content(content, { ...shown, ...draw })
  // The outermost text translates the names of those in it.
  return scope.around ? html : pass.publicMarkup(html)
}

/** `depth` counts the drawn blocks around the text. */
function createDrawer(scope: Scope, depth: number, pass: Pass): ContentDrawer {
  return {
    draws: (name) => pass.tables.block(name) !== undefined,
    block: (block) => serialize(drawBlock(block, scope, depth, pass)),
    isShortcode: shortcodesOf(pass),
    shortcode: shortcodeDrawer(scope, pass),
  }
}

function drawBlock({ name, attributes, inner: source }: DrawnBlock, scope: Scope, depth: number, pass: Pass): Child {
  const block = pass.tables.block(name)
  if (!block) return undefined
  if (depth >= limits.blocks) {
    pass.warnings.add('too_deep')
    return undefined
  }
  if (!pass.admit()) return undefined
  const drawn = (within: Scope, context: RenderContext = {}): Child => {
    // Markup between two markers was rendered with the text around it in mind: it gets no paragraphs.
    if (!source.includes('<!--')) return source.trim() === '' ? undefined : trusted(source)
    const draw = createDrawer(within, depth + 1, pass)
    return trusted(pass.text.content(source, { ...context, id: within.post, hasLayout: pass.hasLayout, draw }))
  }
  const layout = pass.hasLayout ? layoutOf(name, () => attributes) : undefined
  return block({
    ...{ name, attributes, pass, scope },
    ...(layout ? { layout } : {}),
    inner: (within = scope) => drawn(within),
    stored: (within) => drawn(within, { inside: { name, attributes } }),
    pieces: (within) => drawPieces(source, within, pass, depth + 1),
  })
}

/** Draws each block of a text by itself. */
export function drawPieces(content: string, scope: Scope, pass: Pass, depth = 0): readonly DrawnPiece[] {
  const context = { id: scope.post, hasLayout: pass.hasLayout, draw: createDrawer(scope, depth, pass) }
  return piecesOf(content).map(({ name, source }) => {
    const html = name === '' ? source : pass.text.content(source, context)
    return { name, drawn: html.trim() === '' ? undefined : trusted(html) }
  })
}
