/** JSON text that is already serialized: cached rows go into lists, batches and responses without being parsed. */

export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  /** For code that needs the value, such as `_fields`. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** `JSON.stringify` that inserts raw texts, and lists of them, unchanged. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value) && value[0] instanceof RawJson) {
    let text = '['
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + toJson(value[i])
    return `${text}]`
  }
  return value === undefined ? '' : JSON.stringify(value)
}

/** Parses all raw texts. */
export function toValue(data: unknown): unknown {
  if (data instanceof RawJson) return data.toJSON()
  if (Array.isArray(data)) return data.map(toValue)
  return data
}
