/** A model of a site with releases: posts with members that are texts or maps of texts, merged as the site promises. */

/** The values of a member by part; a text has the one part ''. */
type Parts = { readonly [part: string]: string }

interface Change {
  readonly base: Parts
  readonly value: Parts
}

/** The members of one record. */
type Row = Map<string, Parts>

export class ReleaseModel {
  readonly live = new Map<number, Row>()
  readonly changes: readonly Map<number, Map<string, Change>>[]
  readonly added: readonly Map<number, Row>[]
  readonly removed: readonly Set<number>[]

  constructor(releases: number) {
    const all = Array.from({ length: releases })
    this.changes = all.map(() => new Map())
    this.added = all.map(() => new Map())
    this.removed = all.map(() => new Set())
  }

  /** `release` -1: the site itself. */
  write(release: number, id: number, member: string, part: string, value: string): void {
    const row = this.live.get(id)
    const own = this.added[release]?.get(id)
    const shown = this.shown(release, id, member)
    if ((!row && !own) || !shown) return
    const next = { ...shown, [part]: value }
    if (own) own.set(member, next)
    else if (release === -1) row?.set(member, next)
    else this.#writeChange(release, id, member, next)
  }

  #writeChange(release: number, id: number, member: string, value: Parts): void {
    const changes = this.changes[release]?.get(id) ?? new Map<string, Change>()
    const known = changes.get(member)
    const live = this.live.get(id)?.get(member) as Parts
    if (isSame(this.shown(release, id, member) as Parts, value)) return
    const base = known && this.#conflicts(known, live).length > 0 ? known.base : live
    if (isSame(base, value)) changes.delete(member)
    else changes.set(member, { base, value })
    this.changes[release]?.set(id, changes)
  }

  /** Undefined: the release shows no such record. In conflicts the release counts. */
  shown(release: number, id: number, member: string): Parts | undefined {
    if (this.removed[release]?.has(id)) return undefined
    const live = this.live.get(id)?.get(member)
    const change = this.changes[release]?.get(id)?.get(member)
    if (!change || !live) return live ?? this.added[release]?.get(id)?.get(member)
    const { base, value } = change
    return mapped(base, value, live, (b, mine, theirs) => (mine === b ? theirs : mine))
  }

  #conflicts({ base, value }: Change, live: Parts): string[] {
    return Object.keys(value).filter(
      (part) => value[part] !== base[part] && live[part] !== base[part] && value[part] !== live[part],
    )
  }

  /** The records that the release changes and the site has removed: they stay so. */
  gone(release: number): readonly number[] {
    const changes = [...(this.changes[release] ?? [])]
    return changes.flatMap(([id, members]) =>
      members.size > 0 && !this.live.has(id) && !this.removed[release]?.has(id) ? [id] : [],
    )
  }

  hasConflicts(release: number): boolean {
    const changes = [...(this.changes[release] ?? [])]
    const isRemovedElsewhere = [...(this.removed[release] ?? [])].some((id) => this.#isChangedSinceRemoval(release, id))
    return (
      isRemovedElsewhere ||
      this.gone(release).length > 0 ||
      changes.some(
        ([id, members]) =>
          !this.removed[release]?.has(id) &&
          this.live.has(id) &&
          [...members].some(
            ([name, change]) => this.#conflicts(change, this.live.get(id)?.get(name) as Parts).length > 0,
          ),
      )
    )
  }

  /** By release and record, the members when the record was removed. */
  readonly #atRemoval = new Map<string, Map<string, Parts>>()

  remove(release: number, id: number): void {
    if (this.added[release]?.delete(id) || !this.live.has(id) || this.removed[release]?.has(id)) return
    const bases = new Map(this.live.get(id))
    // A member that is in conflict keeps its base.
    for (const [name, change] of this.changes[release]?.get(id) ?? []) {
      if (this.#conflicts(change, bases.get(name) as Parts).length > 0) bases.set(name, change.base)
    }
    this.#atRemoval.set(`${release} ${id}`, bases)
    this.removed[release]?.add(id)
  }

  #isChangedSinceRemoval(release: number, id: number): boolean {
    const bases = this.#atRemoval.get(`${release} ${id}`) ?? new Map<string, Parts>()
    const row = this.live.get(id)
    return row !== undefined && [...bases].some(([name, base]) => !isSame(base, row.get(name) as Parts))
  }

  /** The release counts in all conflicts. */
  publish(release: number): void {
    for (const [id, members] of this.changes[release] ?? []) {
      for (const name of members.keys()) {
        const value = this.shown(release, id, name)
        if (value) this.live.get(id)?.set(name, value)
      }
    }
    for (const [id, row] of this.added[release] ?? []) this.live.set(id, new Map(row))
    for (const id of this.removed[release] ?? []) this.live.delete(id)
  }
}

const mapped = (
  base: Parts,
  mine: Parts,
  theirs: Parts,
  pick: (b?: string, m?: string, t?: string) => string | undefined,
) => Object.fromEntries(Object.keys(mine).map((part) => [part, pick(base[part], mine[part], theirs[part]) as string]))

const isSame = (a: Parts, b: Parts): boolean => Object.keys(a).every((part) => a[part] === b[part])
