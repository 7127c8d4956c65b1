/** `api.site.check`. */
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { actorWithId } from '../../../core/pipeline/authentication.ts'
import { isRecord, recordOf } from './args.ts'
import type { CheckFinding, CheckReport, Patch } from './model.ts'

interface CheckOptions {
  /** The id of the user whose rights count. Default: the program, which may edit everything. */
  readonly as?: number
}

interface ApplyOptions extends CheckOptions {
  /** True: nothing is written; the result is that of the write. */
  readonly dryRun?: boolean
}

/** A patch that was written, or tried. */
export interface AppliedPatch {
  readonly patch: Patch
  /** The answer of the route that has written it. */
  readonly answer: unknown
}

/** Checks records and releases before they are published. */
export interface SiteCheck {
  /**
   * Checks a record, such as `post:12`, or a release by its id.
   *
   * ```ts
   * const { findings } = await api.site.check('post:12')
   * ```
   */
  (record: string | number, options?: CheckOptions): Promise<CheckReport>
  /** Checks all that visitors may open, oldest first; at most `limit` findings, by default 1,000. */
  site(options?: CheckOptions & { readonly limit?: number }): Promise<CheckReport>
  /**
   * Writes the patch of a finding, as it is when it is written, or a patch as it is given. Rejects with the error of the route that
   * writes it.
   *
   * ```ts
   * for (const finding of findings) if (finding.patch) await api.site.check.apply(finding, { as: 3 })
   * ```
   */
  apply(finding: CheckFinding | Patch, options?: ApplyOptions): Promise<AppliedPatch>
}

export function createSiteCheck(options: ExtensionOptions): SiteCheck {
  const { storage, app, ready, call } = options
  const callerFor = async (as: number | undefined) => {
    await ready()
    return { storage, app, settings: await app.settings.read(storage), user: await actorWithId(options, as) }
  }
  const check = async (record: string | number, { as }: CheckOptions = {}): Promise<CheckReport> => {
    const named = typeof record === 'number' ? `release:${record}` : record
    if (!isRecord(named))
      throw new TypeError(`${JSON.stringify(record)} names no record: write post:12, or the id of a release`)
    const caller = await callerFor(as)
    return (await import('./late.ts')).reportOn(caller, recordOf(named))
  }
  return Object.assign(check, {
    async site({ as, limit = 1000 }: CheckOptions & { readonly limit?: number } = {}) {
      const caller = await callerFor(as)
      return (await import('./late.ts')).checkSite(caller, limit)
    },

    async apply(finding: CheckFinding | Patch, { as, dryRun = false }: ApplyOptions = {}) {
      const isFinding = 'id' in finding
      const { record } = isFinding ? finding.place : finding
      const sent = isFinding ? { finding: finding.id } : { patch: finding }
      const { data } = await call(
        'POST',
        '/site-api/v1/checks/{record}/apply',
        { record, ...sent },
        {
          as: as ?? 'system',
          dryRun,
        },
      )
      // The cast: the route answers so.
      return data as AppliedPatch
    },
  })
}
