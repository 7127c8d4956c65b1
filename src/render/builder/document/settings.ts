/** The settings of one element or of one entry of a repeater, with their dynamic values resolved. */
import { limits } from './limits.ts'
import { isObject, noSettings, numberOf, objectOf, ownValue, type RawSettings, textOf } from './values.ts'

/** Resolves the text of a dynamic tag: a text, or an object for controls that keep one. */
type ResolveDynamic = (text: string) => unknown

/** The settings of an element, read as the type that is wanted. */
export class Settings {
  readonly raw: RawSettings
  readonly dynamic: RawSettings
  readonly globals: RawSettings
  readonly #resolve: ResolveDynamic

  constructor(raw: RawSettings, resolve: ResolveDynamic) {
    this.raw = raw
    this.#resolve = resolve
    this.dynamic = Object.hasOwn(raw, '__dynamic__') ? objectOf(raw['__dynamic__']) : noSettings
    this.globals = Object.hasOwn(raw, '__globals__') ? objectOf(raw['__globals__']) : noSettings
  }

  get hasDynamic(): boolean {
    return this.dynamic !== noSettings
  }

  /** Whether the element has the setting at all, even an empty one. */
  has(name: string): boolean {
    return Object.hasOwn(this.raw, name) || this.isDynamic(name)
  }

  isDynamic(name: string): boolean {
    return this.dynamic !== noSettings && typeof ownValue(this.dynamic, name) === 'string'
  }

  /** As stored, or what its dynamic tag answers. Undefined when it is absent. */
  value(name: string): unknown {
    const stored = ownValue(this.raw, name)
    if (!this.isDynamic(name)) return stored
    const value = this.#resolve(this.dynamic[name] as string)
    // A link keeps its target and its attributes.
    if (!isObject(stored) || !Object.hasOwn(stored, 'url') || Object.hasOwn(stored, 'id')) return value
    if (typeof value === 'string') return { ...stored, url: value }
    return isObject(value) && !Object.hasOwn(value, 'id') ? { ...stored, ...value } : value
  }

  /** A text or a number; the default prints when the setting is absent, nothing when it is `""`. */
  text(name: string, byDefault = ''): string {
    const value = this.value(name)
    if (value === undefined) return byDefault
    // The tag of an address in a text.
    if (isObject(value) && this.isDynamic(name)) return textOf(ownValue(value, 'url'))
    // A value of another type counts as absent.
    return typeof value === 'object' && value !== null ? byDefault : textOf(value)
  }

  /** One of the listed texts; the default for any other. */
  choice(name: string, listed: readonly string[], byDefault: string): string {
    const text = this.text(name)
    return listed.includes(text) ? text : byDefault
  }

  /** Whether a switch is on. `yes` is what most return. */
  isOn(name: string, byDefault = ''): boolean {
    const text = this.text(name, byDefault)
    return text !== '' && text !== 'no' && text !== 'false'
  }

  number(name: string, byDefault: number): number {
    const value = this.value(name)
    return numberOf(isObject(value) ? ownValue(value, 'size') : value) ?? byDefault
  }

  object(name: string): RawSettings {
    return objectOf(this.value(name))
  }

  /** The entries of a repeater or a gallery; entries that are no objects are skipped. */
  items(name: string): Settings[] {
    const value = this.value(name)
    if (!Array.isArray(value)) return []
    return value
      .slice(0, limits.items)
      .filter(isObject)
      .map((raw) => new Settings(raw, this.#resolve))
  }

  /** The same settings with some replaced. */
  with(changes: RawSettings): Settings {
    return new Settings({ ...this.raw, ...changes }, this.#resolve)
  }
}
