/**
 * Compares the changes of a release with the site as it is: what each record would be, and what both have changed since. Reads of a
 * release, its writes and its publishing have the same plan. Pure.
 */
import { equalJson } from '../../../contract/equal-json.ts'
import type { Json } from '../../../contract/storage.ts'
import { editModeKey, elementsKey } from '../../../render/builder/records/keys.ts'
import { mergedValue } from '../../shared/merge/values.ts'
import { bookkeeping, type MemberChange, type ReleaseChange } from './changes.ts'
import type { Images, RecordImage } from './images.ts'

/** A value that the release and the site have both changed. Null: there is none. */
export interface ReleaseConflict {
  readonly record: string
  /** `title`, `meta.elements[ab12].settings.color`; empty: the whole record, which one side has removed. */
  readonly member: string
  readonly base: Json
  /** The value of the release. */
  readonly yours: Json
  /** The value of the site. */
  readonly theirs: Json
}

/** The side whose value counts in a conflict. */
export type Side = 'release' | 'live'

/** Decides conflicts: by `post:12 title`, `post:12`, or `*` for all. */
export type Decisions = { readonly [conflict: string]: Side }

interface PlannedMember {
  /** With what the site has changed elsewhere in it; where both have changed the same, the value of this side. */
  readonly values: { readonly [S in Side]: Json }
  readonly conflicts: readonly ReleaseConflict[]
}

export interface RecordPlan {
  readonly record: string
  readonly change: ReleaseChange
  readonly live: RecordImage | undefined
  readonly members: ReadonlyMap<string, PlannedMember>
  /** Concerns the whole record. */
  readonly conflict: ReleaseConflict | undefined
}

export function planOf(changes: ReadonlyMap<string, ReleaseChange>, live: Images): RecordPlan[] {
  return [...changes].map(([record, change]) => planRecord(record, change, live.get(record)))
}

function planRecord(record: string, change: ReleaseChange, live: RecordImage | undefined): RecordPlan {
  const members = new Map<string, PlannedMember>()
  for (const [name, member] of Object.entries(change.members))
    members.set(name, planMember(record, name, member, change, live))
  return { record, change, live, members, conflict: conflictOf(record, change, live) }
}

function planMember(
  record: string,
  name: string,
  { base, value }: MemberChange,
  change: ReleaseChange,
  live: RecordImage | undefined,
): PlannedMember {
  const theirs = live?.[name] ?? absent(name)
  if (change.change !== 'changed' || !live || bookkeeping.has(name))
    return { values: { release: value, live: theirs }, conflicts: [] }
  const [mine, other] = [value ?? undefined, theirs ?? undefined]
  const versions = { base: base ?? undefined, mine, theirs: other }
  const { value: merged = null, conflicts } = mergedValue(versions, name)
  if (conflicts.length === 0) return { values: { release: merged, live: merged }, conflicts: [] }
  const { value: preferred = null } = mergedValue({ ...versions, mine: other, theirs: mine }, name)
  if (isTextOfDocument(name, change, live)) return { values: { release: preferred, live: preferred }, conflicts: [] }
  const named = conflicts.map((one) => ({
    record,
    member: one.member,
    base: one.base,
    yours: one.mine,
    theirs: one.theirs,
  }))
  return { values: { release: preferred, live: merged }, conflicts: named }
}

/** The content of a built post is the text of its document, which is merged by elements. */
const isTextOfDocument = (name: string, { members }: ReleaseChange, live: RecordImage): boolean =>
  name === 'content' && members[`meta.${elementsKey}`] !== undefined && live[`meta.${editModeKey}`] === 'builder'

/** Whether the release and the site have both changed a document, so that its text has to be written anew. */
export function hasStaleText({ change, live }: RecordPlan): boolean {
  if (change.change !== 'changed' || !live || !isTextOfDocument('content', change, live)) return false
  const member = `meta.${elementsKey}`
  return !equalJson(change.members[member]?.base ?? null, live[member] ?? null)
}

/** A post without terms of a taxonomy has an empty list. */
const absent = (member: string): Json => (member.startsWith('terms.') ? [] : null)

/** The members of the site that differ from what the release has begun with. */
function conflictOf(
  record: string,
  { change, members }: ReleaseChange,
  live: RecordImage | undefined,
): ReleaseConflict | undefined {
  if (change === 'changed') {
    // An option that is not there is null.
    if (live) return undefined
    const [base, yours] = [valuesOf(members, 'base'), valuesOf(members, 'value')]
    return { record, member: '', base, yours, theirs: null }
  }
  if (!live) return undefined
  const side = change === 'added' ? 'value' : 'base'
  const names = new Set([...Object.keys(members), ...Object.keys(live)])
  const others = [...names].filter((name) => {
    const begun = members[name]?.[side] ?? absent(name)
    return !bookkeeping.has(name) && !equalJson(begun, live[name] ?? absent(name))
  })
  if (others.length === 0) return undefined
  const picked = (from: { readonly [member: string]: Json }) =>
    Object.fromEntries(others.map((name) => [name, from[name] ?? null]))
  const base = change === 'added' ? null : picked(valuesOf(members, 'base'))
  const yours = change === 'added' ? picked(valuesOf(members, 'value')) : null
  return { record, member: '', base, yours, theirs: picked(live) }
}

const valuesOf = (members: ReleaseChange['members'], side: 'base' | 'value'): { readonly [member: string]: Json } =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member[side]]))

/** The side that was decided for a conflict within a member; undefined: none. */
function sideOf(decisions: Decisions, { record, member }: ReleaseConflict, top: string): Side | undefined {
  const keys = [`${record} ${member}`, `${record} ${top}`, record, '*']
  return keys.flatMap((key) => (Object.hasOwn(decisions, key) ? (decisions[key] ?? []) : []))[0]
}

/** A record has these members after publishing, is `removed`, or `kept` as the site has it. */
export type Outcome = { readonly members: RecordImage } | 'removed' | 'kept'

/** Adds the conflicts that are not decided to `open`; for them the side `otherwise` counts. */
export function outcomeOf(
  { change, live, members, conflict }: RecordPlan,
  decisions: Decisions,
  otherwise: Side,
  open: ReleaseConflict[],
): Outcome {
  const decided = (one: ReleaseConflict, member: string): Side => {
    const side = sideOf(decisions, one, member)
    if (!side) open.push(one)
    return side ?? otherwise
  }
  const side = conflict && decided(conflict, '')
  if (side === 'live') return 'kept'
  // The release has only what it changes of a record that is gone: nothing of it could be brought back.
  if (conflict && change.change === 'changed') {
    if (!open.includes(conflict)) open.push(conflict)
    return 'kept'
  }
  if (change.change === 'removed') return live ? 'removed' : 'kept'
  const image: { [member: string]: Json } = {}
  for (const [name, { values, conflicts }] of members) {
    const sides = new Set(conflicts.map((one) => decided(one, name)))
    // Two sides within one value: it is not decided.
    if (sides.size === 2) open.push(...conflicts)
    const [only] = sides
    image[name] = values[sides.size === 2 ? otherwise : (only ?? 'release')]
  }
  return { members: image }
}
