/** Reads the settings of a new-generation element. */
import { linkAddress } from '../document/addresses.ts'
import type { Element } from '../document/element.ts'
import { limits } from '../document/limits.ts'
import { idOf, isObject, numberOf, objectOf, ownValue, textOf } from '../document/values.ts'
import type { Attributes } from '../html/nodes.ts'
import { isTooDeep, type Tagged, tagged, type ValueContext } from './tagged.ts'

const TEXTS: ReadonlySet<string> = new Set('plain string number html escaped-html url'.split(' '))

export class AtomicSettings {
  readonly element: Element
  readonly context: ValueContext

  constructor(element: Element, context: ValueContext) {
    this.element = element
    this.context = context
  }

  read(name: string): Tagged | undefined {
    const stored = ownValue(this.element.settings, name)
    return isTooDeep(stored) ? undefined : tagged(stored, this.context)
  }

  /** Returns the default when the setting is absent or is no text. */
  text(name: string, byDefault = ''): string {
    return this.textOf(this.read(name)) ?? byDefault
  }

  choice(name: string, listed: readonly string[], byDefault: string): string {
    const text = this.text(name)
    return listed.includes(text) ? text : byDefault
  }

  isOn(name: string, byDefault = false): boolean {
    const value = this.read(name)?.value
    return typeof value === 'boolean' ? value : byDefault
  }

  number(name: string): number | undefined {
    return numberOf(this.read(name)?.value)
  }

  list(name: string): readonly unknown[] {
    const value = this.read(name)?.value
    return Array.isArray(value) ? value.slice(0, limits.items) : []
  }

  /** Returns a member of a tagged object. */
  inner(value: unknown, name: string): Tagged | undefined {
    return tagged(ownValue(objectOf(value), name), this.context)
  }

  textOf(found: Tagged | undefined): string | undefined {
    if (!found) return undefined
    const { kind, value } = found
    // These kinds store the text in `content`; the newer form tags that text once more.
    if (kind === 'html-v2' || kind === 'html-v3') return this.textOf(this.inner(value, 'content'))
    if (!TEXTS.has(kind)) return undefined
    // A dynamic value of a link or an image becomes its address in a text.
    if (isObject(value)) return typeof ownValue(value, 'url') === 'string' ? textOf(ownValue(value, 'url')) : undefined
    return typeof value === 'string' || typeof value === 'number' ? textOf(value) : undefined
  }

  // ---------------------------------------------------------------- links

  /** Returns undefined when the link has no allowed address. */
  link(): AtomicLink | undefined {
    const link = this.read('link')
    if (!link) return undefined
    const isWhole = isObject(link.value) && (link.kind === 'link' || Object.hasOwn(link.value, 'destination'))
    const href = this.#addressOf(isWhole ? this.inner(link.value, 'destination') : link)
    if (href === '') return undefined
    if (isWhole && this.textOf(this.inner(link.value, 'tag')) === 'button')
      return { tag: 'button', attributes: { 'data-action-link': href } }
    const isBlank = isWhole && this.inner(link.value, 'isTargetBlank')?.value === true
    return {
      tag: 'a',
      attributes: { href, target: isBlank ? '_blank' : '_self', rel: isBlank ? 'noopener' : undefined },
    }
  }

  #addressOf(destination: Tagged | undefined): string {
    if (!destination) return ''
    const { kind, value } = destination
    if (kind === 'query') return this.#postAddress(this.inner(value, 'id')?.value)
    if (typeof value === 'number') return this.#postAddress(value)
    return kind === 'link' ? '' : linkAddress(this.textOf(destination) ?? '')
  }

  /** Returns the address of a post that every visitor may see; empty for others. */
  #postAddress(value: unknown): string {
    const id = idOf(value)
    const { pass } = this.context
    const post = id === undefined ? undefined : pass.post(id)
    if (!post) return ''
    const isPublic = post.status === 'publish' || (post.type === 'attachment' && post.status === 'inherit')
    return isPublic ? linkAddress(pass.addressOf(post.id)) : ''
  }
}

interface AtomicLink {
  readonly tag: 'a' | 'button'
  readonly attributes: Attributes
}
