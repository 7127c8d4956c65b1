/** Runs the checks on records: of one record, of a release, and of what visitors see of the site. */
import type { Post } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { mayEditOfType } from '../../content/posts/model.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { documentTypes } from '../../shared/elements.ts'
import type { Check, CheckedSubject, CheckFinding, CheckReport, Found, Patch } from './model.ts'
import { ownChecks } from './rules/index.ts'
import { type CheckPlace, Subjects } from './subject.ts'

export interface CheckCaller extends CheckPlace {
  readonly user: Actor
}

/** The order of a report: by record, then as the checks are declared. */
export const checksOf = ({ app }: Pick<CheckPlace, 'app'>): readonly Check[] => [
  ...ownChecks,
  ...app.contributions('checks'),
]

/** Whether posts of the type are checked: those of the content types, and documents. Media are checked where they are shown. */
export const isChecked = ({ type }: Pick<Post, 'type'>, { app }: Pick<CheckPlace, 'app'>): boolean =>
  documentTypes.includes(type) ||
  publicTypesOf(app).some(
    ({ name, published }) => name === type && published.isViewable !== false && name !== 'attachment',
  )

interface RunOptions {
  /** Leaves out the checks with these codes. */
  readonly isLeftOut?: (code: string) => boolean
}

/** Finds what the caller may know: nothing of records that he may not edit. */
export async function checkPosts(
  caller: CheckCaller,
  posts: readonly Post[],
  { isLeftOut = () => false }: RunOptions = {},
): Promise<CheckReport> {
  const checks = checksOf(caller).filter(({ code }) => !isLeftOut(code))
  const findings: CheckFinding[] = []
  const unchecked = new Set<string>()
  for (const subject of await new Subjects(caller).of(posts.filter((post) => isChecked(post, caller)))) {
    for (const check of checks) {
      if (check.looksAt === 'page' && !subject.site) unchecked.add(check.code)
      else findings.push(...(await check.find(subject)).map((found) => findingOf(subject, check, found)))
    }
  }
  return { findings: await permitted(caller, findings), unchecked: [...unchecked] }
}

function findingOf({ record }: CheckedSubject, { code }: Check, found: Found): CheckFinding {
  const { severity, place, message, about = '', patch } = found
  const where = { record, ...place }
  const id = sha256Of(JSON.stringify([code, where, about])).slice(0, 16)
  return { id, code, severity, place: where, message, ...(patch && { patch: { record, ...patch } }) }
}

/** A patch of a record that the caller may not edit is left out, and so is a finding there. */
async function permitted(caller: CheckCaller, findings: readonly CheckFinding[]): Promise<CheckFinding[]> {
  const named = findings.flatMap(({ place, patch }) => [place.record, ...(patch ? [patch.record] : [])])
  const ids = [...new Set(named)].flatMap((record) => idOfPost(record) ?? [])
  const editable = await editableAmong(caller, ids)
  const isFree = (record: string) => editable.has(idOfPost(record) ?? 0)
  return findings
    .filter(({ place }) => isFree(place.record))
    .map(({ patch, ...finding }) => (patch && mayApply(caller, patch, isFree) ? { ...finding, patch } : finding))
}

const mayApply = ({ user }: CheckCaller, patch: Patch, isFree: (record: string) => boolean): boolean =>
  isFree(patch.record) && (patch.remediation === undefined || user.can('manage_options'))

async function editableAmong(
  { storage, user, app }: CheckCaller,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const posts = ids.length === 0 ? [] : await storage.posts.read([...ids])
  return new Set(posts.filter((post) => mayEdit(user, post, app)).map(({ id }) => id))
}

/** Components are part of the design of the site. */
export const mayEdit = (user: Actor, post: Post, app: CheckPlace['app']): boolean =>
  post.type === 'builder_component' ? user.can('manage_options') : mayEditOfType(user, post, app)

/** The same for a record that is not there. */
export const noSuchRecord = () => new ApiError('check_no_record', 'There is no such record that you may edit.', 404)

export function idOfPost(record: string): number | undefined {
  const [, id] = /^post:([1-9]\d{0,14})$/.exec(record) ?? []
  return id === undefined ? undefined : Number(id)
}

// ---------------------------------------------------------------- the whole site

const windowSize = 20

/** Checks what visitors may open, oldest first, until there are so many findings. */
export async function checkSite(caller: CheckCaller, limit: number): Promise<CheckReport> {
  const findings: CheckFinding[] = []
  const unchecked = new Set<string>()
  for await (const posts of shownPosts(caller)) {
    const report = await checkPosts(caller, posts)
    findings.push(...report.findings)
    for (const code of report.unchecked) unchecked.add(code)
    if (findings.length >= limit) break
  }
  return { findings: findings.slice(0, limit), unchecked: [...unchecked] }
}

const checkedTypes = (place: Pick<CheckPlace, 'app'>): string[] =>
  [...new Set([...publicTypesOf(place.app).map(({ name }) => name), ...documentTypes])].filter((type) =>
    isChecked({ type }, place),
  )

async function* shownPosts({ storage, app }: Pick<CheckPlace, 'storage' | 'app'>) {
  const types = checkedTypes({ app })
  for (let offset = 0; ; offset += windowSize) {
    const order = { by: 'id', descending: false } as const
    const statuses = [{ status: 'publish' }]
    const { idsPage } = await storage.posts.query({ types, statuses, order, offset, limit: windowSize })
    if (idsPage.length === 0) return
    yield await storage.posts.read(idsPage.map(({ id }) => id))
  }
}

/** The next records in the order of their changes; several may have changed in one second. */
export async function shownPostsAfter(
  { storage, app }: Pick<CheckPlace, 'storage' | 'app'>,
  { modified, post }: { readonly modified: string; readonly post: number },
  limit: number,
): Promise<readonly Post[]> {
  const second = modified === '' ? undefined : new Date(Date.parse(`${modified}Z`) - 1000).toISOString().slice(0, 19)
  const dates = second === undefined ? {} : { dates: [{ field: 'modified', after: second } as const] }
  const order = { by: 'modified', descending: false } as const
  const query = { types: checkedTypes({ app }), statuses: [{ status: 'publish' }], order, ...dates }
  for (let offset = 0; ; offset += windowSize) {
    const { idsPage } = await storage.posts.query({ ...query, offset, limit: windowSize })
    const posts = idsPage.length === 0 ? [] : await storage.posts.read(idsPage.map(({ id }) => id))
    const next = posts.filter((one) => one.modified !== modified || one.id > post)
    if (next.length > 0 || idsPage.length < windowSize) return next.slice(0, limit)
  }
}
