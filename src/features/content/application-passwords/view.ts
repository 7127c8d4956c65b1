/** The views of application passwords. The secret is readable in the answer that creates it, and nowhere else. */

import type { StoredRecord } from '../../../contract/storage.ts'
import { bool, context, dateTime, int, nullable, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { fields, notEmbedded, shownIn, targetLinks } from '../../../core/declare/response-schema.ts'
import { uuidOf } from '../../../core/pipeline/application-passwords.ts'

export const readArgs = { context: context() }

const members = {
  uuid: str({ description: 'What identifies the password.' }),
  app_id: str({ description: 'A UUID that the application chose; empty: none.' }),
  name: str({ description: 'The name of the application.' }),
  created: notEmbedded(dateTime()),
  last_used: notEmbedded(nullable(dateTime())),
  last_ip: notEmbedded(nullable(str({ description: 'From where it was last used, if that is known.' }))),
}

const linked = { ...members, _links: fields({ self: targetLinks }) }

export const passwordSchema = fields(linked, { title: 'Application password', record: 'application-password' })
export const createdSchema = fields(
  { ...linked, password: shownIn(['edit'], str({ description: 'The password, shown this once.' })) },
  { title: 'New application password' },
)
export const deletedSchema = fields({ deleted: bool(), previous: fields(members) })
export const allDeletedSchema = fields({ deleted: bool(), count: int() })

type ViewContext = 'view' | 'embed' | 'edit'

/** The passwords of one owner, in order. */
export async function passwordViews(context: Context, rows: readonly StoredRecord[], viewContext: ViewContext) {
  const owner = Number(rows[0]?.['user'] ?? 0)
  const path = '/cms/v2/users/{user_id}/application-passwords/{uuid}'
  // The permissions of the route have the owner as their resource, not the password.
  const [allow = ''] = rows.length > 0 ? await context.allowedMethods(context, path, [owner], pathOf) : []
  const root = `${context.settings.apiRoot}/${context.app.names.toPublic('cms/v2')}/users/${owner}/application-passwords`
  return rows.map((row) => {
    const { uuid, app_id, name, ...dates } = passwordMembers(row)
    const hints = allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }
    return {
      ...{ uuid, app_id, name },
      ...(viewContext === 'embed' ? {} : dates),
      _links: { self: [{ href: `${root}/${uuid}`, ...hints }] },
    }
  })
}

const pathOf = (owner: number) => ({ user_id: String(owner), uuid: '' })

export const passwordMembers = (row: StoredRecord) => ({
  uuid: uuidOf(row),
  app_id: textOf(row['app_id']) ?? '',
  name: textOf(row['name']) ?? '',
  created: textOf(row['created']) ?? '',
  last_used: textOf(row['last_used']),
  last_ip: textOf(row['last_ip']),
})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
