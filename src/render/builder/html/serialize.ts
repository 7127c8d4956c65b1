/** Serializes a tree of nodes as HTML. All values except `Markup` are escaped here. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { type AttributeValue, type Child, type ClassList, isList, Markup, Unread, Written } from './nodes.ts'

/** HTML, void elements. */
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** Translates a class name, an id or an attribute name that the engine wrote. */
export type PublicName = (name: string) => string

const MUST_ESCAPE = /[&<>"']/
const escaped = (text: string): string => (MUST_ESCAPE.test(text) ? escapeHtml(text) : text)

export function serialize(child: Child, publicName?: PublicName): string {
  if (typeof child === 'string') return escaped(child)
  if (typeof child === 'number') return String(child)
  if (child === undefined || child === false) return ''
  if (child instanceof Markup) return child.html
  if (child instanceof Unread) return serialize(child.child, publicName)
  if (isList(child)) return serializeAll(child, publicName)
  let open = `<${child.tag}`
  for (const name of Object.keys(child.attributes)) open += attribute(name, child.attributes[name], publicName)
  if (VOID.has(child.tag)) return `${open}>`
  return `${open}>${serializeAll(child.children, publicName)}</${child.tag}>`
}

function serializeAll(children: readonly Child[], publicName: PublicName | undefined): string {
  let html = ''
  for (const child of children) html += serialize(child, publicName)
  return html
}

function attribute(name: string, value: AttributeValue, publicName: PublicName | undefined): string {
  if (value === undefined || value === false) return ''
  const outer = publicName && name.startsWith('data-builder') ? `data-${publicName(name.slice(5))}` : name
  if (value === true) return ` ${outer}`
  if (typeof value === 'number') return ` ${outer}="${value}"`
  if (value instanceof Written) return ` ${outer}="${escaped(value.text)}"`
  if (typeof value !== 'string') return classAttribute(value, publicName)
  return ` ${outer}="${escaped(publicName && HOLDS_ID.has(name) ? idList(value, publicName) : value)}"`
}

/** Attributes that contain ids of the engine. Ids that users wrote are `Written`. */
const HOLDS_ID: ReadonlySet<string> = new Set(['id', 'for', 'aria-controls', 'aria-labelledby', 'class'])

const idList = (value: string, publicName: PublicName): string => value.split(' ').map(publicName).join(' ')

function classAttribute(classes: ClassList, publicName: PublicName | undefined): string {
  let text = ''
  for (const name of classes) {
    if (name === undefined || name === false) continue
    const one = name instanceof Written ? name.text : publicName ? idList(name, publicName) : name
    if (one !== '') text += text === '' ? one : ` ${one}`
  }
  return text === '' ? '' : ` class="${escaped(text)}"`
}
