/** SQL with its parameters, written as template literals. */

/** A part of a statement. */
export class Sql {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  constructor(texts: readonly string[], values: readonly unknown[] = []) {
    this.texts = texts
    this.values = values
  }
}

/** Values become parameters, parts of SQL are inserted. */
export const sql = (texts: TemplateStringsArray, ...values: readonly unknown[]): Sql => new Sql(texts, values)

/** A text of this program, never of a request. */
export const raw = (text: string): Sql => new Sql([text])

/** The column of a view that has the name of a field of the contract. */
export const column = (field: string): Sql => raw(`"${field}"`)

export function join(parts: readonly Sql[], separator: string): Sql {
  return new Sql(['', ...parts.map((_, at) => (at === parts.length - 1 ? '' : separator))], parts)
}

/** Absent conditions are left out; without any it is true. */
export function and(conditions: readonly (Sql | undefined)[]): Sql {
  const present = conditions.filter((condition) => condition !== undefined)
  return present.length === 0 ? sql`true` : sql`(${join(present, ' and ')})`
}

/** Without any condition it is false. */
export const or = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`

/** The text with numbered parameters, as `pg` takes it. */
export function compile(statement: Sql): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const textOf = (part: Sql): string =>
    part.texts.reduce((text, next, at) => {
      const value = part.values[at - 1]
      if (value instanceof Sql) return text + textOf(value) + next
      values.push(value)
      return `${text}$${values.length}${next}`
    })
  return { text: textOf(statement), values }
}
