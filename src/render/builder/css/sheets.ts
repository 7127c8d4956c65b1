/** The style sheets of one render, in cascade order. */
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { RuleSet } from './rules.ts'

/** A style sheet of a rendered document. */
export interface Sheet {
  readonly key: string
  readonly css: string
  /** A digest of `css`. */
  readonly version: string
}

/** In the order of the cascade. Parts with a name may have one sheet for each document. */
const PARTS = ['kit', 'atomic-base', 'classes', 'defaults', 'document', 'local', 'custom'] as const
type SheetPart = (typeof PARTS)[number]

export class Sheets {
  readonly #parts = new Map<SheetPart, Map<string, RuleSet>>()

  /** The rules of a part; `owner` distinguishes its sheets, which stay in the order of first use. */
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

  /** Behind the base sheet and that of the variables. Sheets without rules are left out. */
  toList(): Sheet[] {
    return PARTS.flatMap((part) =>
      [...(this.#parts.get(part) ?? [])].flatMap(([owner, rules]) => {
        const css = rules.toString()
        return css === '' ? [] : [toSheet(owner === '' ? part : `${part}-${owner}`, css)]
      }),
    )
  }
}

/** `<` never occurs outside of strings; there it is written as an escape, so that no sheet ends a style element. */
export function toSheet(key: string, css: string): Sheet {
  const safe = css.includes('<') ? css.replaceAll('<', '\\3c ') : css
  return { key, css: safe, version: sha256Of(safe).slice(0, 16) }
}
