/** The kit of a site: colours, fonts, breakpoints and design settings. A render reads it once. */
import type { Json } from '../../../contract/storage.ts'
import { typographyProperties } from '../controls/typography.ts'
import { type Breakpoints, createBreakpoints } from '../css/breakpoints.ts'
import type { Declaration, Declarations } from '../css/rules.ts'
import {
  isEmpty,
  isObject,
  nameOf,
  numberOf,
  objectOf,
  ownValue,
  type RawSettings,
  textOf,
} from '../document/values.ts'
import { kitOptions, kitParts } from '../records/keys.ts'
import { drawnColors, systemTypography } from './defaults.ts'
import { type KitVariable, readVariables } from './variables.ts'

interface KitItem {
  readonly id: string
  readonly value: unknown
}

/** Returns an option of the site. */
type StoredOptions = (name: string) => Json | undefined

export class Kit {
  readonly id: number
  readonly settings: RawSettings
  readonly colors: readonly KitItem[]
  readonly typography: readonly KitItem[]
  readonly breakpoints: Breakpoints
  readonly genericFont: string
  readonly hasColorDefaults: boolean
  readonly hasTypographyDefaults: boolean
  readonly #option: StoredOptions
  readonly #isPreview: boolean
  #variables: ReadonlyMap<string, KitVariable> | undefined
  #classes: ReadonlyMap<string, GlobalClass> | undefined
  #variableNames: ReadonlyMap<string, KitVariable> | undefined
  #classLabels: ReadonlyMap<string, GlobalClass> | undefined
  readonly #colorIds: ReadonlySet<string>
  readonly #fonts: ReadonlyMap<string, RawSettings>
  readonly #fontVariables = new Map<string, Declarations>()

  constructor(option: StoredOptions, { preview = false }: { readonly preview?: boolean } = {}) {
    this.#option = option
    this.#isPreview = preview
    this.id = numberOf(option(kitOptions.id)) ?? 0
    this.settings = objectOf(option(kitOptions.settings))
    this.colors = itemsOf(option(kitOptions.colors), drawnColors)
    this.typography = itemsOf(option(kitOptions.typography), systemTypography)
    this.breakpoints = createBreakpoints(this.settings)
    this.genericFont =
      /^[\w-]{1,40}$/.exec(textOf(ownValue(this.settings, 'default_generic_fonts')))?.[0] ?? 'Sans-serif'
    const isYes = (...names: readonly string[]) => names.some((name) => option(name) === 'yes')
    this.hasColorDefaults = !isYes(kitOptions.disableColors, kitOptions.disableColorsSetting)
    this.hasTypographyDefaults = !isYes(kitOptions.disableTypography, kitOptions.disableTypographySetting)
    this.#colorIds = new Set(this.colors.filter(({ value }) => !isEmpty(value)).map(({ id }) => id))
    this.#fonts = new Map(this.typography.map(({ id, value }) => [id, objectOf(value)]))
  }

  /** Variables by id. */
  get variables(): ReadonlyMap<string, KitVariable> {
    this.#variables ??= readVariables(this.#option(kitOptions.variables))
    return this.#variables
  }

  /** Variables by id, to be named, whatever their values are. */
  get variableNames(): ReadonlyMap<string, Pick<KitVariable, 'property'>> {
    this.#variableNames ??= readVariables(this.#option(kitParts.variableNames))
    return this.#variableNames
  }

  /** Global classes by id, to be named, whatever their styles are. */
  get classLabels(): ReadonlyMap<string, Pick<GlobalClass, 'label'>> {
    this.#classLabels ??= readClasses(this.#option(kitParts.classLabels), this.#isPreview)
    return this.#classLabels
  }

  /** Global classes by id, in cascade order. */
  get classes(): ReadonlyMap<string, GlobalClass> {
    this.#classes ??= readClasses(this.#option(kitOptions.classes), this.#isPreview)
    return this.#classes
  }

  /** Returns `var( --e-global-color-… )`; undefined, with a warning, for an unknown colour. */
  colorVariable(id: string, onMissing: () => void): string | undefined {
    if (this.hasColor(id)) return `var( --e-global-color-${id} )`
    onMissing()
    return undefined
  }

  hasColor(id: string): boolean {
    return this.#colorIds.has(id)
  }

  /** Returns the properties that a typography sets, as variables. */
  typographyVariables(id: string, onMissing: () => void): Declarations | 'missing' {
    const variables = this.fontVariables(id)
    if (variables) return variables
    onMissing()
    return 'missing'
  }

  fontVariables(id: string): Declarations | undefined {
    const known = this.#fontVariables.get(id)
    if (known) return known
    const stored = this.#fonts.get(id)
    if (!stored) return undefined
    const variables = typographyProperties.flatMap(({ setting, css }): Declaration[] => {
      if (isEmpty(ownValue(stored, `typography_${setting}`))) return []
      const variable = `var( --e-global-typography-${id}-${css} )`
      return [[css, css === 'font-family' ? `${variable}, ${this.genericFont}` : variable]]
    })
    this.#fontVariables.set(id, variables)
    return variables
  }
}

const isItemId = (id: string) => /^[\w-]{1,64}$/.test(id)

/** A custom item replaces the system item with the same id. */
function itemsOf(stored: Json | undefined, byDefault: readonly KitItem[]): readonly KitItem[] {
  const lists = objectOf(stored)
  const read = (name: string): KitItem[] | undefined => {
    const list = ownValue(lists, name)
    if (!Array.isArray(list)) return undefined
    return list.filter(isObject).map((item) => ({ id: textOf(ownValue(item, 'id')), value: ownValue(item, 'value') }))
  }
  const items = [...(read('system') ?? byDefault), ...(read('custom') ?? [])].filter(({ id }) => isItemId(id))
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/** A class that elements of any document can use. */
export interface GlobalClass {
  readonly id: string
  /** The class name. */
  readonly label: string
  readonly style: RawSettings
}

/**
 * Returns the classes by id, in cascade order. Classes that the stored order leaves out come first, so that they override none. A
 * preview shows the live classes where no copy is prepared.
 */
function readClasses(stored: unknown, isPreview: boolean): ReadonlyMap<string, GlobalClass> {
  const copies = objectOf(stored)
  const prepared = isPreview ? ownValue(copies, 'preview') : undefined
  const copy = objectOf(isObject(prepared) ? prepared : ownValue(copies, 'live'))
  const items = objectOf(ownValue(copy, 'items'))
  const listed = ownValue(copy, 'order')
  const order = new Set((Array.isArray(listed) ? listed : []).filter((id) => typeof id === 'string'))
  const ids = [...Object.keys(items).filter((id) => !order.has(id)), ...order]
  return new Map(
    ids.flatMap((id): [string, GlobalClass][] => {
      const style = ownValue(items, id)
      if (!isObject(style)) return []
      const label = nameOf(ownValue(style, 'label'))
      return label === '' ? [] : [[id, { id, label, style }]]
    }),
  )
}
