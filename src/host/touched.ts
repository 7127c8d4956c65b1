/** Creates what knows which answers each commit touches, for a storage that counts its commits. */
import type { Collection, Storage } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import type { PendingEvent } from '../core/declare/events.ts'
import type { PersistedData } from '../core/declare/feature.ts'
import { applicationPasswords } from '../core/pipeline/authentication.ts'
import type { EventEmitter } from '../core/pipeline/event-emitter.ts'
import { passwordsTag } from '../core/pipeline/sign-in.ts'
import { randomId } from '../core/runtime/crypto.ts'
import { ReadTags } from '../core/tags/read-tags.ts'
import { TouchedTags } from '../core/tags/touched-tags.ts'
import { optionParts } from '../render/builder/kit/option-parts.ts'
import { type SettingsState, shownOptions } from '../site/settings.ts'
import type { SiteApiOptions } from './site-options.ts'
import { dataOfEverySite, internalCollections } from './stored-data.ts'

interface TouchedParts {
  readonly persisted: readonly PersistedData[]
  readonly app: () => AppContext
  readonly events: () => EventEmitter
  /** Writes durable events inside a transaction. */
  readonly record: (
    events: readonly PendingEvent[],
    where: { readonly storage: Storage; readonly app: AppContext },
  ) => Promise<void>
  readonly wake: () => void
  /** The storage whose writes are observed; undefined: nothing but requests may write to it. */
  readonly observed: () => Storage | undefined
}

/** The collections of which reads and changes name records by their members. */
export const taggedCollections = (persisted: readonly PersistedData[]): ReadonlyMap<string, Collection> =>
  new Map(persisted.flatMap((one) => one.collections ?? []).map(({ collection }) => [collection.name, collection]))

/** Undefined: nothing is cached, or the storage has no transactions or no token. Then each write ends all cached responses. */
export function createTouched(
  { storage, cacheTags, limits }: SiteApiOptions,
  { persisted, app, events, record, wake, observed }: TouchedParts,
): TouchedTags | undefined {
  if (!storage.atomic || !storage.readChanges || (limits?.responseBytes === 0 && !cacheTags)) return undefined
  const options = persisted.flatMap((one) => one.options ?? [])
  const shown = new Set(shownOptions(options))
  const hidden = [...options.filter(({ isDerived }) => isDerived), ...(dataOfEverySite.options ?? [])]
  const changed = (tags: readonly string[]): PendingEvent => ({ name: 'tags.changed', payload: { tags } })
  return new TouchedTags({
    storage,
    // Workers of Cloudflare draw no random values before the first request.
    nameProcess: randomId,
    collections: taggedCollections(persisted),
    shownOptions: shown,
    optionParts,
    hidden: {
      records: new Set(internalCollections.filter((one) => one !== applicationPasswords).map(({ name }) => name)),
      options: new Set(hidden.map(({ name }) => name).filter((name) => !shown.has(name))),
    },
    privateTags: new Set([passwordsTag]),
    ...(cacheTags && {
      listStorage: observed,
      beforeCommit: (tags: readonly string[], transaction: Storage) =>
        record([changed(tags)], { storage: transaction, app: app() }),
    }),
    onCommit: (tags) => {
      if (events().hasListeners('tags.changed')) void events().emit([changed(tags())])
      if (cacheTags) wake()
    },
  })
}

/** Records what a page is made from, which is read from the state of this token, or a later one. */
export async function readTagsAt(
  { token, changes }: Pick<SettingsState, 'token' | 'changes'>,
  {
    touched,
    collections,
  }: { readonly touched: TouchedTags | undefined; readonly collections: TouchedTags['collections'] },
): Promise<ReadTags> {
  if (touched && changes && !touched.isAt(token)) await touched.catchUp(changes)
  const names = touched?.namesAt(token)
  return new ReadTags(collections, { hasColumns: true, keepsLists: names !== undefined, names })
}
