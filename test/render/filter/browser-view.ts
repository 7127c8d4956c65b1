/**
 * Reads filtered markup as a browser does and names all that is outside the lists. It shares the lists with the filter, but
 * none of its reading: the standard's tree builder for HTML, the platform's parser for addresses, css-tree's parser for styles.
 */
import { type CssNode, parse as parseCss, walk } from 'css-tree'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { PROTOCOLS } from '../../../src/render/filter/addresses.ts'
import { ADDRESSES, type AllowList, CONTENT, TITLE } from '../../../src/render/filter/elements.ts'
import { FUNCTIONS, GRADIENTS, INNER_FUNCTIONS, PROPERTIES } from '../../../src/render/filter/style-properties.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

/** Elements and attributes that no list may allow, whatever it says. */
const DANGEROUS =
  /^(?:applet|base|body|embed|foreignobject|form|frame|frameset|head|html|iframe|input|link|meta|noembed|noframes|noscript|plaintext|portal|script|select|slot|source|style|svg|template|xmp)$/i
const DANGEROUS_PROTOCOLS = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:', 'filesystem:'])

/** Empty when the text is safe. Each violation says what was found. */
export function violations(html: string, list: 'content' | 'title'): string[] {
  const found: string[] = []
  const allowed = list === 'content' ? CONTENT : TITLE
  const open: Node[] = [parseFragment(html)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) found.push(...elementViolations(node, allowed))
    else if (node.nodeName === '#comment') found.push(...commentViolations((node as { data: string }).data, list))
    else if (node.nodeName === '#documentType') found.push('doctype')
    if ('childNodes' in node) for (const child of node.childNodes) open.push(child)
  }
  return found
}

function elementViolations({ tagName, attrs }: Element, list: AllowList): string[] {
  const own = list.elements.get(tagName)
  if (own === undefined || DANGEROUS.test(tagName)) return [`element ${tagName}`]
  return attrs.flatMap(({ name, prefix, value }) => {
    const full = prefix ? `${prefix}:${name}` : name
    const isListed = own.includes(full) || list.everywhere.has(full) || (list.hasData && /^data-[\w-]+$/.test(full))
    if (!isListed || /^on|^(?:srcdoc|srcset|formaction|action)$/.test(full)) return [`attribute ${tagName} ${full}`]
    if (full === 'style') return styleViolations(value)
    return ADDRESSES.has(full) ? addressViolations(value) : []
  })
}

export function addressViolations(address: string): string[] {
  let rest = address
  do {
    const protocol = protocolOf(rest)
    if (protocol === undefined) return []
    if (DANGEROUS_PROTOCOLS.has(protocol) || !PROTOCOLS.has(protocol.slice(0, -1))) return [`address ${address}`]
    if (protocol !== 'feed:') return []
    rest = rest.slice(rest.indexOf(':') + 1)
  } while (rest !== '')
  return []
}

/** With the colon; undefined for a relative address. */
function protocolOf(address: string): string | undefined {
  const [relativeTo, orTo] = ['gopher://one.example/', 'ftp://two.example/'].map((base) =>
    URL.canParse(address, base) ? new URL(address, base).protocol : undefined,
  )
  return relativeTo === orTo ? relativeTo : undefined
}

export function styleViolations(style: string): string[] {
  const found: string[] = []
  const tree = parseCss(style, { context: 'declarationList', parseCustomProperty: true })
  walk(tree, {
    enter(node: CssNode) {
      const violation = nodeViolation(node)
      if (violation !== undefined) found.push(violation)
    },
  })
  return found
}

function nodeViolation(node: CssNode): string | undefined {
  if (node.type === 'Declaration') {
    const isKnown = PROPERTIES.has(node.property) || /^--[\w-]+$/.test(node.property)
    if (!isKnown) return `property ${node.property}`
  }
  if (node.type === 'Function') return isKnownFunction(node.name) ? undefined : `function ${node.name}`
  if (node.type === 'Url') return addressViolations(node.value)[0]
  // Browsers skip text that css-tree cannot read, unless it opens a construct whose end is hidden.
  if (node.type === 'Raw') {
    const rest = node.value.replace(/([\w-]+)\(/g, (call, name) => (isKnownFunction(name) ? name : call))
    return /[\\{}@"'(]|\/\*/.test(rest) ? `unreadable ${node.value}` : undefined
  }
  return node.type === 'Atrule' || node.type === 'Block' || node.type === 'Rule' ? `css ${node.type}` : undefined
}

const isKnownFunction = (name: string) => FUNCTIONS.has(name) || GRADIENTS.has(name) || INNER_FUNCTIONS.has(name)

/** The strings in the attributes of a block marker are markup again, once the block is rendered. */
function commentViolations(comment: string, list: 'content' | 'title'): string[] {
  const json = /^\s+cms:[a-z][a-z0-9_/-]*\s+(\{.*\})\s*\/?$/s.exec(comment)?.[1]
  if (json === undefined || list === 'title') return []
  const found: string[] = []
  const read = (_key: string, value: unknown) => {
    if (typeof value === 'string') found.push(...violations(value, list))
    return value
  }
  try {
    JSON.parse(json, read)
  } catch {
    found.push(`json ${json}`)
  }
  return found
}
