/** Parses, cleans and writes custom CSS of elements, documents and the kit, with css-tree. */
import type { Atrule, CssNode, List } from 'css-tree'
import { isRefusedDeclaration, REFUSED_RULES } from '../css/refused.ts'
import type { Pass } from '../pass/pass.ts'
import type { RecordKind } from '../records/records.ts'

type CssTree = Pick<typeof import('css-tree'), 'parse' | 'walk' | 'generate'>

/** css-tree's parser loads slowly and few documents need it, so a pass loads it like a record. */
const parsers: RecordKind<string, CssTree> = {
  name: 'css parser',
  isProgram: true,
  load: async (keys) => {
    const { parse, walk, generate } = await import('css-tree/dist/csstree.esm')
    const parser = { parse, walk, generate }
    return new Map(keys.map((key) => [key, parser]))
  },
}

const maxLength = 100_000

/**
 * Replaces `selector` by the selector of the element. Imports, and scripts of old browsers in values, are removed; text that
 * does not parse is left out. Returns undefined until the parser is loaded.
 */
export function customCss(css: string, selector: string, pass: Pass): string | undefined {
  if (css.trim() === '') return ''
  const parser = pass.get(parsers, 'css-tree')
  if (!parser || css.length > maxLength) return undefined
  const tree = parser.parse(css.replaceAll('selector', selector), { parseValue: false, parseCustomProperty: false })
  parser.walk(tree, (node: CssNode, item, list: List<CssNode> | null) => {
    if (list && item && isRefused(node)) list.remove(item)
  })
  return parser.generate(tree)
}

function isRefused(node: CssNode): boolean {
  if (node.type === 'Atrule') return REFUSED_RULES.has((node as Atrule).name.toLowerCase())
  if (node.type === 'Raw') return true
  if (node.type !== 'Declaration') return false
  return isRefusedDeclaration(node.property, node.value.type === 'Raw' ? node.value.value : '')
}
