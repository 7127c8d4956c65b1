/** Reads style sheets: the rules for a screen, with the declarations that show, hide or colour texts. */

import type { Atrule, CssNode, Rule, StyleSheet } from 'css-tree'
import { matchesMedia } from './media.ts'
import { type CompiledSelector, compileSelector } from './selectors.ts'

export interface Declaration {
  readonly name: string
  readonly value: string
  readonly isImportant: boolean
}

export interface StyleRule {
  readonly selector: CompiledSelector
  readonly declarations: readonly Declaration[]
  /** The place among all rules: the last of two equal ones counts. Layers come before the others. */
  readonly order: number
  readonly isOfBrowser: boolean
}

const WANTED: ReadonlySet<string> = new Set(
  `color background background-color background-image background-clip font font-size font-weight opacity display visibility position
  left right top inset inset-inline-start text-indent clip clip-path width height overflow text-shadow filter mix-blend-mode content
  -webkit-text-fill-color -webkit-background-clip content-visibility transform`.split(/\s+/),
)

const GROUPS: ReadonlySet<string> = new Set(['media', 'supports', 'layer'])

export interface CssParser {
  parse(text: string, options: object): CssNode
}

export const maxRules = 30_000

export class Sheets {
  readonly rules: StyleRule[] = []
  readonly #parser: CssParser
  #order = 0

  constructor(parser: CssParser) {
    this.#parser = parser
  }

  add(text: string, { isOfBrowser = false } = {}): void {
    // The cast: this context gives a sheet.
    const sheet = this.#parser.parse(text, {
      parseValue: false,
      parseCustomProperty: false,
      parseAtrulePrelude: false,
      onParseError: () => {},
    }) as StyleSheet
    this.#read(sheet.children, isOfBrowser, 0)
  }

  /** The declarations of a style attribute. */
  declarationsOf(style: string): readonly Declaration[] {
    const list = this.#parser.parse(style, {
      context: 'declarationList',
      parseValue: false,
      parseCustomProperty: false,
      onParseError: () => {},
    })
    return list.type === 'DeclarationList' ? [...list.children].flatMap(toDeclaration) : []
  }

  #read(nodes: Iterable<CssNode>, isOfBrowser: boolean, layer: number): void {
    for (const node of nodes) {
      if (this.rules.length >= maxRules) return
      if (node.type === 'Rule') this.#readRule(node, isOfBrowser, layer)
      if (node.type === 'Atrule') this.#readGroup(node, isOfBrowser, layer)
    }
  }

  #readGroup({ name, prelude, block }: Atrule, isOfBrowser: boolean, layer: number): void {
    if (!block) return
    const text = prelude?.type === 'Raw' ? prelude.value : ''
    if (name === 'media' && !matchesMedia(text)) return
    if (name === 'supports' && /^\s*not\b/.test(text)) return
    if (GROUPS.has(name)) this.#read(block.children, isOfBrowser, name === 'layer' ? layer - 1 : layer)
  }

  #readRule({ prelude, block }: Rule, isOfBrowser: boolean, layer: number): void {
    if (prelude.type !== 'SelectorList') return
    const declarations = [...block.children].flatMap(toDeclaration)
    if (declarations.length === 0) return
    const order = this.#order++ + layer * 1e9
    for (const one of prelude.children) {
      const selector = one.type === 'Selector' ? compileSelector(one) : undefined
      if (selector) this.rules.push({ selector, declarations, order, isOfBrowser })
    }
  }
}

function toDeclaration(node: CssNode): readonly Declaration[] {
  if (node.type !== 'Declaration') return []
  const name = node.property.startsWith('--') ? node.property : node.property.toLowerCase()
  if (!name.startsWith('--') && !WANTED.has(name)) return []
  const value = node.value.type === 'Raw' ? node.value.value.trim() : ''
  return [{ name, value, isImportant: node.important !== false }]
}
