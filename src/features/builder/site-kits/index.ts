/** Takes over site kits and template kits, and writes the site as one: below a namespace of this package. */

import type { Json } from '../../../contract/storage.ts'
import { anything, bool, int, list, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { fields, mapOf, nonJsonBody } from '../../../core/declare/response-schema.ts'
import { result, Stream } from '../../../core/declare/result.ts'
import { zipBody } from '../../../core/request/zip-body.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'

/** The host sets this service: imports and exports are its own. Both reject with an error that has a `code`. */
export interface KitFiles {
  /** No import takes a larger archive. */
  readonly archiveBytes: number
  /** Takes over an archive, whole or not at all. The code is `import_kit`. */
  import(archive: Uint8Array, options: KitImportOptions): Promise<KitReport>
  /** Writes the site as an archive. The code is `export_kit`. */
  export(options: { readonly content: boolean }): Promise<Uint8Array<ArrayBuffer>>
}

interface KitImportOptions {
  /** Rows of an earlier import are overwritten. */
  readonly update?: boolean
  /** The design of the kit becomes that of the site. */
  readonly kit?: boolean
  /** Media are shown from the site of the kit. */
  readonly media?: 'link'
}

interface KitReport {
  readonly items: number
  /** By kind, how many rows there are. */
  readonly counts: {
    readonly [kind: string]: { readonly created: number; readonly updated: number; readonly existing: number }
  }
  readonly settings: { readonly [option: string]: Json }
  readonly problems: readonly { readonly kind: string; readonly what: string; readonly count: number }[]
}

const kitFilesOf = ({ services }: Context['app']) => services['kitFiles'] as KitFiles

/** A kit brings pages of any markup, CSS, options and users. */
const rights = ['manage_options', 'unfiltered_html', 'create_users']

const mayImport = ({ user }: Pick<Context, 'user'>) => rights.every((right) => user.can(right))

const administrates = permission<unknown, unknown>(rights.join(', '), ({ user }) =>
  mayImport({ user })
    ? undefined
    : forbidden(user, 'rest_cannot_manage_kits', 'Kits are for administrators of the site.'),
)

const importArgs = {
  design: bool({
    default: false,
    description: 'Makes the design of the kit that of the site. A site without content and design takes it anyway.',
  }),
  update: bool({ default: false, description: 'Overwrites what an earlier import of the kit has brought.' }),
  media: oneOf(['link'], { description: 'link shows media from the site of the kit.' }),
}

const counts = fields({ created: int(), updated: int(), existing: int() })

const reportSchema = fields(
  {
    items: int({ description: 'The items that were read.' }),
    counts: mapOf(counts, { description: 'Rows by kind.' }),
    settings: mapOf(anything(), { description: 'The options that the site has taken.' }),
    problems: list(fields({ kind: str(), what: str(), count: int() }), {
      description: 'What was left out or changed.',
    }),
  },
  { title: 'Report of a kit' },
)

const reportView = ({ items, counts, settings, problems }: KitReport) => ({
  items,
  counts,
  settings,
  problems: problems.map(({ kind, what, count }) => ({ kind, what, count })),
})

const receiveKit = zipBody({
  isAllowed: mayImport,
  maxBytes: ({ app }) => Math.min(app.limits.uploadBytes, kitFilesOf(app).archiveBytes),
})

/** Refuses export files, which `import` takes too: they are no unit, so that a failed import leaves a part of them on the site. */
const isZip = ([p, k]: Uint8Array): boolean => p === 0x50 && k === 0x4b

/** Answers errors of kits as refusals: the caller can mend them. */
async function refusing<T>(code: 'import_kit' | 'export_kit', status: number, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code: found, message } = error as Error & { readonly code?: unknown }
    throw found === code ? new ApiError(code, message, status) : error
  }
}

const siteKits = feature(
  'site-kits',
  'site-api/v1',
  [
    endpoint({
      path: '/kit',
      methods: ['GET'],
      args: {
        content: bool({ default: true, description: 'False writes the design and the templates only.' }),
      },
      summary: 'Write the site as a kit: a zip archive',
      permission: administrates,
      responses: { 200: nonJsonBody('application/zip', { description: 'A site kit.' }) },
      handler: async ({ app, args }) => {
        const kit = await refusing('export_kit', 409, kitFilesOf(app).export({ content: args.content }))
        const headers = { 'Content-Disposition': 'attachment; filename="kit.zip"' }
        return result(new Stream(kit, 'application/zip'), { headers })
      },
    }),
    endpoint({
      path: '/kit',
      methods: ['POST'],
      args: importArgs,
      summary: 'Take over a kit, whole or not at all: a zip archive with the type application/zip',
      permission: administrates,
      receive: receiveKit,
      responses: { 200: reportSchema },
      // The import has its own transaction.
      atomic: false,
      handler: async ({ app, args, body }) => {
        if (!(body instanceof Uint8Array) || !isZip(body)) {
          const message = 'A kit is a zip archive: send it as the body, with the type application/zip.'
          throw new ApiError('import_kit', message, 400)
        }
        const { design: kit, update, media } = args
        const options = { kit, update, ...(media === undefined ? {} : { media }) }
        return reportView(await refusing('import_kit', 400, kitFilesOf(app).import(body, options)))
      },
    }),
  ],
  { services: drawsDocuments },
)

/**
 * Takes over kits over HTTP and writes the site as one, below `site-api/v1/kit`. No profile has it: a host adds it.
 *
 * ```ts
 * import { full, kitFeatures, profile } from 'site-api'
 *
 * export const site = profile({ ...full, features: [...full.features, ...kitFeatures] })
 * ```
 */
export const kitFeatures = [siteKits] as const
