/** Custom CSS of elements, documents and the kit: parsed, cleaned, and written by css-tree. */
import type { Atrule, CssNode, List } from 'css-tree'
import { isRefusedDeclaration, REFUSED_RULES } from '../css/refused.ts'
import type { Pass } from '../pass/pass.ts'
import type { RecordKind } from '../records/records.ts'

type CssTree = typeof import('css-tree')

/** css-tree's parser is slow to load, and few documents need it: it is read like a record. */
const parsers: RecordKind<string, CssTree> = {
  name: 'css parser',
  isProgram: true,
  load: async (keys) => {
    const parser = await import('css-tree')
    return new Map(keys.map((key) => [key, parser]))
  },
}

const maxLength = 100_000

/**
 * `selector` stands for the element's own selector. Imports and old scripts in values are removed; what does not parse is left out.
 * Undefined while the parser is not loaded.
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
