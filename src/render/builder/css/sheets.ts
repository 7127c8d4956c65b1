/** Collects the style sheets of one render, in cascade order. */
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { RuleSet } from './rules.ts'

/** A style sheet of a rendered document. */
export interface Sheet {
  readonly key: string
  readonly css: string
  /** A digest of `css`. */
  readonly version: string
}

/** A part of the base sheet. */
export interface BasePart {
  readonly sheet: Sheet
  /** The classes of each selector. */
  readonly selectors: readonly (readonly string[])[]
}

/** The parts in cascade order. Some parts have one sheet per document. */
const PARTS = ['kit', 'atomic-base', 'classes', 'defaults', 'document', 'local', 'custom'] as const
type SheetPart = (typeof PARTS)[number]

export class Sheets {
  readonly #parts = new Map<SheetPart, Map<string, RuleSet>>()

  /** Returns the rules of a part; `owner` selects one of its sheets, which are ordered by first use. */
  of(part: SheetPart, owner = ''): RuleSet {
    let owners = this.#parts.get(part)
    if (!owners) {
      owners = new Map()
      this.#parts.set(part, owners)
    }
    let rules = owners.get(owner)
    if (!rules) {
      rules = new RuleSet()
      owners.set(owner, rules)
    }
    return rules
  }

  /** Returns the sheets that follow the base sheet and the variables. Sheets without rules are left out. */
  toList(): Sheet[] {
    return PARTS.flatMap((part) =>
      [...(this.#parts.get(part) ?? [])].flatMap(([owner, rules]) => {
        const css = rules.toString()
        return css === '' ? [] : [toSheet(owner === '' ? part : `${part}-${owner}`, css)]
      }),
    )
  }
}

/** `<` occurs in strings only. It is escaped there, so that no sheet can end a style element. */
export function toSheet(key: string, css: string): Sheet {
  const safe = css.includes('<') ? css.replaceAll('<', '\\3c ') : css
  return { key, css: safe, version: sha256Of(safe).slice(0, 16) }
}
