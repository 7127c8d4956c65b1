/** Reads the settings of one element or one entry of a repeater, and resolves their dynamic values. */
import { limits } from './limits.ts'
import { isObject, noSettings, numberOf, objectOf, ownValue, type RawSettings, textOf } from './values.ts'

/** Resolves the text of a dynamic tag to a text, or to an object for controls that store one. */
type ResolveDynamic = (text: string) => unknown

/** Reads settings as the type that the caller asks for. */
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

  /** Returns whether the element stores the setting, even an empty one. */
  has(name: string): boolean {
    return Object.hasOwn(this.raw, name) || this.isDynamic(name)
  }

  isDynamic(name: string): boolean {
    return this.dynamic !== noSettings && typeof ownValue(this.dynamic, name) === 'string'
  }

  /** Returns the stored value, or the value of its dynamic tag. Undefined when the setting is absent. */
  value(name: string): unknown {
    const stored = ownValue(this.raw, name)
    if (!this.isDynamic(name)) return stored
    const value = this.#resolve(this.dynamic[name] as string)
    // The dynamic address replaces the stored one; the link keeps its target and attributes.
    if (!isObject(stored) || !Object.hasOwn(stored, 'url') || Object.hasOwn(stored, 'id')) return value
    if (typeof value === 'string') return { ...stored, url: value }
    return isObject(value) && !Object.hasOwn(value, 'id') ? { ...stored, ...value } : value
  }

  /** Returns a text or a number as text: the default when the setting is absent, nothing when it is `""`. */
  text(name: string, byDefault = ''): string {
    const value = this.value(name)
    if (value === undefined) return byDefault
    // A text takes the address of an object that a tag returns.
    if (isObject(value) && this.isDynamic(name)) return textOf(ownValue(value, 'url'))
    // A value of another type counts as absent.
    return typeof value === 'object' && value !== null ? byDefault : textOf(value)
  }

  /** Returns one of the listed texts; the default for any other. */
  choice(name: string, listed: readonly string[], byDefault: string): string {
    const text = this.text(name)
    return listed.includes(text) ? text : byDefault
  }

  /** Returns whether a switch is on. Most switches store `yes`. */
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

  /** Returns the entries of a repeater or a gallery; entries that are no objects are skipped. */
  items(name: string): Settings[] {
    const value = this.value(name)
    if (!Array.isArray(value)) return []
    return value
      .slice(0, limits.items)
      .filter(isObject)
      .map((raw) => new Settings(raw, this.#resolve))
  }

  /** Returns the settings that a member contains. */
  within(name: string): Settings {
    return new Settings(this.object(name), this.#resolve)
  }

  /** Returns these settings with some replaced. */
  with(changes: RawSettings): Settings {
    return new Settings({ ...this.raw, ...changes }, this.#resolve)
  }
}
