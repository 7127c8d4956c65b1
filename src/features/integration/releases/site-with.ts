/** The site as it would be with the changes of a release: as a storage that is read, and as rows that are written. */
import { typesWithFreeSlugs } from '../../../contract/fields/posts.ts'
import type { Past } from '../../../contract/past.ts'
import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Undo, UndoneMembers } from '../../../contract/undo.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { historyOf, Restoration } from '../history/model.ts'
import { postOf, type ReleaseChange } from './changes.ts'
import { partsOf, type RecordImage, readImages } from './images.ts'
import { type Decisions, type Outcome, outcomeOf, planOf, type RecordPlan, type ReleaseConflict } from './plan.ts'

/** A record and what it becomes. */
export interface Planned {
  readonly plan: RecordPlan
  readonly outcome: Outcome
}

export interface SiteWith {
  readonly planned: readonly Planned[]
  /** The conflicts that are not decided. */
  readonly open: readonly ReleaseConflict[]
  /** Answers as the site would be. It does not write. */
  readonly shown: Storage
  readonly past: Past
}

type Site = Pick<AppContext, 'services'>

/** In conflicts that are not decided the release counts. */
export async function siteWith(
  app: Site,
  storage: Storage,
  changes: ReadonlyMap<string, ReleaseChange>,
  decisions: Decisions = {},
): Promise<SiteWith> {
  const live = await readImages(storage, historyOf(app).scope.collections, changes.keys())
  const open: ReleaseConflict[] = []
  const plans = planOf(changes, live).map((plan) => ({ plan, outcome: outcomeOf(plan, decisions, 'release', open) }))
  const planned = await withoutOrphans(storage, plans)
  return { planned, open, ...(await storageWith(app, storage, planned)) }
}

/** Leaves out the rows that come and go with a post which the site has removed. */
async function withoutOrphans(storage: Storage, planned: readonly Planned[]): Promise<readonly Planned[]> {
  const parents = new Set(planned.flatMap(({ plan }) => postOf(plan.record, plan.change) ?? []))
  if (parents.size === 0) return planned
  const there = new Set((await storage.posts.read([...parents])).map(({ id }) => id))
  for (const { plan, outcome } of planned) {
    if (typeof outcome !== 'string') there.add(Number(partsOf(plan.record).key))
  }
  return planned.map(({ plan, outcome }) => {
    const parent = postOf(plan.record, plan.change)
    return parent === undefined || there.has(parent) ? { plan, outcome } : { plan, outcome: 'kept' }
  })
}

async function storageWith(app: Site, storage: Storage, planned: readonly Planned[]) {
  const past = pastOf(planned)
  return { past, shown: await historyOf(app).storageAsOf(storage, past) }
}

/** Writes the rows that differ. `modified`: posts that change get this time. */
export async function writeSite(
  app: Site,
  storage: Storage,
  { shown, past }: Pick<SiteWith, 'shown' | 'past'>,
  modified?: Pick<Post, 'modified' | 'modifiedGmt'>,
): Promise<Restoration> {
  const restoration = new Restoration(storage, shown, past, historyOf(app).scope, { isWhole: true })
  await restoration.run(modified)
  return restoration
}

/** A record whose slug another record has taken since. */
interface SlugTwin {
  readonly record: string
  readonly slug: string
  readonly other: string
}

const everything = { order: { by: 'id', descending: false }, offset: 0, limit: Number.MAX_SAFE_INTEGER } as const

/** Finds the records whose slugs would not be unique. */
export async function slugTwins({ planned, shown }: SiteWith): Promise<SlugTwin[]> {
  const moved = planned.flatMap(({ plan, outcome }) => {
    if (typeof outcome === 'string') return []
    const image = { ...plan.live, ...outcome.members }
    const { slug } = image
    const isMoved = ['slug', 'parent', 'type', 'taxonomy'].some((name) => image[name] !== plan.live?.[name])
    return isMoved && typeof slug === 'string' && slug !== '' ? [{ record: plan.record, image, slug }] : []
  })
  const twins: SlugTwin[] = []
  for (const { record, image, slug } of moved) {
    const { kind, key } = partsOf(record)
    const others =
      kind === 'post' ? await postsWith(shown, image, slug) : kind === 'term' ? await termsWith(shown, image, slug) : []
    const other = others.find((id) => id !== Number(key))
    if (other !== undefined) twins.push({ record, slug, other: `${kind}:${other}` })
  }
  return twins
}

async function postsWith(shown: Storage, { type, parent }: RecordImage, slug: string): Promise<number[]> {
  if (typesWithFreeSlugs.includes(String(type))) return []
  const query = { types: [String(type)], parents: [Number(parent)], slugs: [slug], ...everything }
  return (await shown.posts.query(query)).idsPage.map(({ id }) => id)
}

async function termsWith(shown: Storage, { taxonomy }: RecordImage, slug: string): Promise<number[]> {
  return (await shown.terms.query({ taxonomies: [String(taxonomy)], slugs: [slug], ...everything })).rows.map(
    ({ id }) => id,
  )
}

const aliasOf = (record: string, slug: string) => `${slug}-${record.replace(':', '-')}`

/** Whether the slug is one that `withoutTwins` has made, which no record of a release has. */
export const isAlias = (post: number, slug: string): boolean => slug.endsWith(aliasOf(`post:${post}`, ''))

/** The same site with other slugs for twins, so that it can be written. */
export async function withoutTwins(app: Site, storage: Storage, site: SiteWith): Promise<SiteWith> {
  const twins = new Map((await slugTwins(site)).map(({ record, slug }) => [record, slug]))
  if (twins.size === 0) return site
  const planned = site.planned.map(({ plan, outcome }) => {
    const slug = twins.get(plan.record)
    if (slug === undefined || typeof outcome === 'string') return { plan, outcome }
    return { plan, outcome: { members: { ...outcome.members, slug: aliasOf(plan.record, slug) } } }
  })
  return { ...site, planned, ...(await storageWith(app, storage, planned)) }
}

// ---------------------------------------------------------------- outcomes as ways from the rows of now

function pastOf(planned: readonly Planned[]): Past {
  const posts = new Map<number, Undo[]>()
  const terms = new Map<number, Undo[]>()
  const options = new Map<string, Undo[]>()
  const records = new Map<string, Map<number, Undo[]>>()
  const typesOf = new Map<number, Set<string>>()
  for (const { plan, outcome } of planned) {
    if (outcome === 'kept') continue
    const { kind, key } = partsOf(plan.record)
    const undo = outcome === 'removed' ? { row: null } : undoOf(kind, outcome.members, plan.live === undefined)
    if (kind === 'option') options.set(key, [undo])
    else if (kind === 'term') terms.set(Number(key), [undo])
    else if (kind === 'post') {
      posts.set(Number(key), [undo])
      const types = [...plan.change.type.split(','), String(plan.live?.['type'] ?? '')]
      typesOf.set(Number(key), new Set(types.filter((type) => type !== '')))
    } else records.set(kind, (records.get(kind) ?? new Map<number, Undo[]>()).set(Number(key), [undo]))
  }
  return { posts, terms, options, records, typesOf }
}

function undoOf(kind: string, members: RecordImage, isNew: boolean): Undo {
  if (kind === 'option') return { value: memberOf(members['value']) }
  const row: { [column: string]: UndoneMembers[string] } = {}
  const meta: { [key: string]: UndoneMembers[string] } = {}
  const terms: { [taxonomy: string]: readonly number[] } = {}
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith('meta.')) meta[name.slice('meta.'.length)] = memberOf(value)
    // The cast: only lists of ids are there.
    else if (name.startsWith('terms.')) terms[name.slice('terms.'.length)] = (value ?? []) as readonly number[]
    else row[name] = [value]
  }
  if (isNew && kind === 'post') row['version'] = [1]
  return {
    ...(Object.keys(row).length > 0 && { row }),
    ...(isNew && { isRemoved: true }),
    ...(Object.keys(meta).length > 0 && { meta }),
    ...(Object.keys(terms).length > 0 && { terms }),
  }
}

/** Null is the stored form of no value. */
const memberOf = (value: Json | undefined): UndoneMembers[string] =>
  value === null || value === undefined ? [] : [value]
