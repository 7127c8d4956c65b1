/** Merges a JSON value that two have changed: objects by key, lists by id, documents by element, texts by word. Pure. */
import { equalJson } from '../../../contract/equal-json.ts'
import { parsedJson } from '../../../contract/parsed-json.ts'
import type { Json } from '../../../contract/storage.ts'
import { mergedList } from './lists.ts'
import { mergedText } from './texts.ts'
import { mergedElements } from './trees.ts'
import type { MergeConflict, Merging, Value, Versions } from './versions.ts'

interface Merged {
  /** Has the value of `theirs` where both have changed one. */
  readonly value: Value
  readonly conflicts: readonly MergeConflict[]
}

/** Deeper values are compared as a whole: each level compares all levels below. Elements within elements do not count. */
const maxDepth = 24
/** A merge with more conflicts tells the first ones. */
const maxConflicts = 200

/** `member` names the value in conflicts. */
export function mergedValue(versions: Versions, member: string): Merged {
  const merge = new Merge()
  return { value: merge.value(versions, member, 0), conflicts: merge.conflicts }
}

class Merge implements Merging {
  readonly conflicts: MergeConflict[] = []

  value(versions: Versions, member: string, depth: number): Value {
    const { base, mine, theirs } = versions
    if (equalJson(mine, theirs) || equalJson(base, mine)) return theirs
    if (equalJson(base, theirs)) return mine
    const merged = depth > maxDepth ? undefined : this.#byParts(versions, member, depth)
    if (merged !== undefined) return merged
    this.dispute(versions, member)
    return theirs
  }

  dispute({ base = null, mine = null, theirs = null }: Versions, member: string): void {
    if (this.conflicts.length < maxConflicts) this.conflicts.push({ member, base, mine, theirs })
  }

  /** Undefined: the value has no parts that are merged. */
  #byParts(versions: Versions, member: string, depth: number): Value {
    const { base, mine, theirs } = versions
    if (typeof mine === 'string' && typeof theirs === 'string') {
      return typeof base === 'string' ? this.#byWords({ base, mine, theirs }, member, depth) : undefined
    }
    if (Array.isArray(mine) && Array.isArray(theirs)) {
      const lists = { base: Array.isArray(base) ? base : [], mine, theirs }
      return mergedElements(lists, member, this) ?? mergedList(lists, member, depth, this)
    }
    if (!isMap(mine) || !isMap(theirs)) return undefined
    const maps = { base: isMap(base) ? base : {}, mine, theirs }
    return kindNames.every((name) => isOfOneKind(maps, name)) ? this.#byKeys(maps, member, depth) : undefined
  }

  #byKeys(versions: Versions<JsonMap>, member: string, depth: number): Json {
    const names = new Set([...Object.keys(versions.theirs), ...Object.keys(versions.mine)])
    const entries = [...names].flatMap((name) => {
      const value = this.value(
        { base: own(versions.base, name), mine: own(versions.mine, name), theirs: own(versions.theirs, name) },
        member === '' ? name : `${member}.${name}`,
        depth + 1,
      )
      return value === undefined ? [] : [[name, value] as const]
    })
    return Object.fromEntries(entries)
  }

  /** A text that is JSON is merged as what it says. */
  #byWords(texts: Versions<string>, member: string, depth: number): Value {
    const parsed = { base: partsOf(texts.base), mine: partsOf(texts.mine), theirs: partsOf(texts.theirs) }
    if (parsed.base === undefined || parsed.mine === undefined || parsed.theirs === undefined) return mergedText(texts)
    const value = this.value(parsed, member, depth)
    return value === undefined ? undefined : JSON.stringify(value)
  }
}

interface JsonMap {
  readonly [name: string]: Json
}

const isMap = (value: Value): value is JsonMap & Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (map: JsonMap, name: string): Value => (Object.hasOwn(map, name) ? map[name] : undefined)

/** These members say how the others are read: where they differ, the value is one. */
const kindNames = ['$$type', 'unit']

const isOfOneKind = ({ base, mine, theirs }: Versions<JsonMap>, name: string): boolean =>
  own(mine, name) === own(theirs, name) && (Object.keys(base).length === 0 || own(base, name) === own(mine, name))

const partsOf = (text: string): Value => {
  if (!/^\s*[[{]/.test(text)) return undefined
  const value = parsedJson(text)
  // The cast: a text was parsed.
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}
