/** Reads the attributes of a shortcode: `name="value"`, `name='value'`, `name=value`. Values are HTML as written. */

export type ShortcodeAttributes = ReadonlyMap<string, string>

const ATTRIBUTE = /\s*(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|(\S+))/y

/** Names become lower case, and the first of several wins. Values without a name are left out. */
export function readAttributes(source: string): ShortcodeAttributes {
  const attributes = new Map<string, string>()
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(source); found !== null; found = ATTRIBUTE.exec(source)) {
    const name = found[1]?.toLowerCase()
    const value = found[2] ?? found[3] ?? found[4] ?? ''
    if (name !== undefined && !attributes.has(name)) attributes.set(name, value)
  }
  return attributes
}

/** Returns whether a switch such as `loop` is on. */
export function isOn(attributes: ShortcodeAttributes, name: string): boolean {
  const value = (attributes.get(name) ?? '').toLowerCase()
  return !['', '0', 'false', 'no', 'off'].includes(value)
}

/** Returns a length in pixels, or the default when the tag has none. */
export function pixels(attributes: ShortcodeAttributes, name: string, byDefault: number): number {
  const value = Number.parseInt(attributes.get(name) ?? '', 10)
  return value > 0 ? value : byDefault
}
