/** Draws documents: their wrapper, a document inside another one, and page settings. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { background } from '../controls/background.ts'
import { type Control, compound, sides } from '../controls/control.ts'
import { createControlTable, writeControls } from '../controls/write.ts'
import { limits } from '../document/limits.ts'
import { Settings } from '../document/settings.ts'
import { ownValue, textOf } from '../document/values.ts'
import { type Child, type ClassList, h } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { createValues } from './control-values.ts'
import { customCss } from './custom-css.ts'
import { drawElements } from './draw.ts'

/** Wrapper tags of the types that a page includes. */
const TAGS: { readonly [type: string]: string } = lookupTable({
  header: 'header',
  footer: 'footer',
  'plus-header': 'header',
  'plus-footer': 'footer',
})
const WRAPPERS = ['header', 'footer', 'main', 'article', 'section', 'aside', 'nav', 'div']
/** Documents of these types name their wrapper tag in a setting. */
const PARTS: ReadonlySet<string> = new Set(
  'header footer plus-header plus-footer single single-post single-page archive search-results error-404'.split(' '),
)
export const isPart = (type: string): boolean => PARTS.has(type)

const TYPES: ReadonlySet<string> = new Set([
  ...PARTS,
  ...'wp-post wp-page page loop-item section container popup floating-buttons widget'.split(' '),
])

interface DocumentOptions {
  /** Further class names of the wrapper. */
  readonly classes?: ClassList
  /** True: the document is the page itself, and its page settings apply. */
  readonly isOutermost?: boolean
}

/** Draws the document with its wrapper. The caller has checked that the reader may see it. */
export function drawDocument(
  scope: Scope,
  pass: Pass,
  { classes = [], isOutermost = false }: DocumentOptions = {},
): Child {
  const { document } = scope
  const { id } = document.post
  // The sheet is created here, because sheets are ordered by first use.
  pass.sheets.of('document', String(id))
  if (isOutermost) writePageSettings(document, pass)
  const type = typeOf(document)
  const wanted = textOf(ownValue(document.pageSettings, 'content_wrapper_html_tag'))
  const tag = isPart(type) ? (WRAPPERS.includes(wanted) ? wanted : (TAGS[type] ?? 'div')) : 'div'
  const content = h(
    tag,
    { 'data-builder-type': type, 'data-builder-id': id, class: ['builder', `builder-${id}`, ...classes] },
    drawElements(document.elements, scope, pass),
  )
  writeDocumentCss(document, `.builder-${id}`, pass)
  return content
}

export function typeOf({ post, type }: DocumentRecord): string {
  if (TYPES.has(type)) return type
  if (post.type === 'page') return 'wp-page'
  return post.type === 'post' ? 'wp-post' : 'page'
}

/** Returns the scope inside another document; undefined for a cycle or too many levels. */
export function enterDocument(document: DocumentRecord, scope: Scope, pass: Pass): Scope | undefined {
  const { id } = document.post
  if (scope.stack.includes(id)) {
    pass.warnings.add('circular')
    return undefined
  }
  if (scope.stack.length >= limits.documents) {
    pass.warnings.add('too_deep')
    return undefined
  }
  // Overrides of an instance, and the blocks around a text, do not reach nested documents.
  const { overrides: _overrides, globalWidget: _globalWidget, globalRoot: _root, parent: _parent, ...kept } = scope
  return {
    ...kept,
    ...(scope.around ? { around: {} } : {}),
    document,
    stack: [...scope.stack, id],
    depth: scope.depth + 1,
  }
}

/** Draws the document of another post, which its content is about then. */
export const drawInside = (document: DocumentRecord, scope: Scope, pass: Pass): Child => {
  const inner = enterDocument(document, scope, pass)
  return inner && drawDocument({ ...inner, post: document.post.id }, pass)
}

// ---------------------------------------------------------------- settings of the page

const hideTitle: Control = compound(['hide_title'], (values) =>
  values.rawDesktop('hide_title') === 'yes' ? [[':root', [['--page-title-display', 'none']]]] : undefined,
)

export const pageTable = createControlTable([
  ...background('background', '&'),
  sides('margin', '&', 'margin'),
  sides('padding', '&', 'padding'),
  hideTitle,
])

function writePageSettings(document: DocumentRecord, pass: Pass): void {
  const settings = new Settings(document.pageSettings, textOf)
  const rules = pass.sheets.of('document', String(document.post.id))
  const selector = `body.builder-page-${document.post.id}`
  writeControls(pageTable, settings, {
    rules,
    selector,
    breakpoints: pass.breakpoints,
    valuesAt: createValues(settings, pass),
  })
}

/** Writes the custom CSS of the document after that of its elements. */
function writeDocumentCss(document: DocumentRecord, selector: string, pass: Pass): void {
  const css = textOf(ownValue(document.pageSettings, 'custom_css'))
  if (css.trim() === '' || !pass.isTrusted(document)) return
  pass.sheets.of('custom', 'documents').addText(customCss(css, selector, pass) ?? '')
}
