/** Tells by what files were made, besides the content of the site: versions and options. Another digest means other files. */
import { sha256Of } from '../../core/runtime/crypto.ts'
import type { Settings } from '../../site/settings.ts'
import type { PagesApi } from '../api.ts'

interface MadeWith {
  readonly api: PagesApi
  readonly settings: Settings
  /** The options of the run. */
  readonly options: object
  /** The version of the host's own code. */
  readonly version: string | undefined
}

/** Rises when the library writes files or the manifest otherwise. */
const form = 1

/** Returns undefined where the version of the library is not known, and the host names none. */
export async function madeBy({ api, settings, options, version }: MadeWith): Promise<string | undefined> {
  const library = await libraryVersion()
  if (library === undefined && version === undefined) return undefined
  const { madeWith } = api['~parts']
  const { home, apiRoot } = settings
  const place = { home, apiRoot, root: api.root, uploads: api.files.root }
  return sha256Of(textOf([form, library, version, runtimeVersions(), place, options, madeWith()]))
}

/** Dates are written by the rules of the runtime. */
const runtimeVersions = (): unknown => (globalThis as { process?: { versions?: unknown } }).process?.versions

/** Undefined where no file of the package is beside this one, such as in a bundle. */
async function libraryVersion(): Promise<string | undefined> {
  try {
    const { packageVersion } = await import('../../services/journal-file.ts')
    const version = packageVersion()
    return version === 'unknown' ? undefined : version
  } catch {
    return undefined
  }
}

/** Functions differ by their source. */
function textOf(value: unknown): string {
  const seen = new Set<unknown>()
  return (
    JSON.stringify(value, (_, member: unknown) => {
      if (typeof member === 'function' || member instanceof RegExp || typeof member === 'bigint') return String(member)
      if (typeof member !== 'object' || member === null) return member
      if (seen.has(member)) return 'again'
      seen.add(member)
      return member instanceof Map || member instanceof Set ? [...member] : member
    }) ?? ''
  )
}
