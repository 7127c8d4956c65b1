/** JSON text that is already written: rows rendered once are sent, spliced into lists and batches, without being parsed. */

export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  /** For whatever needs the value after all, such as `_fields`. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** As `JSON.stringify`, with raw texts and lists of them taken as they stand. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value) && value[0] instanceof RawJson) {
    let text = '['
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + toJson(value[i])
    return `${text}]`
  }
  return value === undefined ? '' : JSON.stringify(value)
}

/** The value with all raw texts parsed. */
export function toValue(data: unknown): unknown {
  if (data instanceof RawJson) return data.toJSON()
  if (Array.isArray(data)) return data.map(toValue)
  return data
}
