/** Application passwords: users manage their own, administrators those of all. A removed one is refused from then on. */

import type { RecordValues, StoredRecord } from '../../../contract/storage.ts'
import { type Arg, list, loose, required, str, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { result } from '../../../core/declare/result.ts'
import { createApplicationPassword } from '../../../core/pipeline/application-passwords.ts'
import { applicationPasswords } from '../../../core/pipeline/authentication.ts'
import { formatApplicationPassword } from '../../../core/runtime/crypto.ts'
import { stripMarkup } from '../../../html/strip-tags.ts'
import {
  findOwner,
  mayIntrospect,
  mayManage,
  passwordInUse,
  passwordOf,
  passwordsOf,
  passwordWithId,
  storedPassword,
  storedPasswords,
} from './model.ts'
import {
  allDeletedSchema,
  createdSchema,
  deletedSchema,
  passwordMembers,
  passwordSchema,
  passwordViews,
  readArgs,
} from './view.ts'

/** Interface: the index shows the parts of the path, and no arguments for them. */
const ownerArg = { user_id: unlisted(required(str({ description: 'The id of the user, or me.' }))) }
const uuidArg = { uuid: unlisted(required(str({ description: 'The password.' }))) }

const base = `/users/${parameter('user_id', '(?:[\\d]+|me)')}/application-passwords` as const
const one = `${base}/${parameter('uuid', '[\\w\\-]+')}` as const

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Interface: a UUID or nothing. */
const appId: Arg<unknown, false> = {
  ...loose(
    {
      node: {
        description: 'A UUID that the application chose for itself.',
        type: 'string',
        oneOf: [
          { type: 'string', format: 'uuid' },
          { type: 'string', enum: [''] },
        ],
      },
    },
    (sent: unknown) =>
      typeof sent === 'string' && (sent === '' || uuidForm.test(sent))
        ? undefined
        : { code: 'rest_no_matching_schema', message: 'app_id is neither a UUID nor empty.' },
  ),
}

const name = str({
  minLength: 1,
  maxLength: 1000,
  pattern: '.*\\S.*',
  description: 'The name of the application.',
})

const nameOf = (text: string) => stripMarkup(text).replace(/\s+/gu, ' ').trim() || text.trim()

const bodyLimitBytes = 64 * 1024

async function oneView(context: Context<unknown, number>, row: StoredRecord, viewContext: 'view' | 'embed' | 'edit') {
  const [view] = await passwordViews(context as Context, [row], viewContext)
  return view
}

export const applicationPasswordRoutes = feature('application-passwords', 'cms/v2', [
  endpoint({
    path: base,
    methods: ['GET'],
    summary: 'List the application passwords of a user',
    args: { ...ownerArg, ...readArgs },
    resource: findOwner,
    permission: mayManage('rest_cannot_list_application_passwords'),
    responses: { 200: list(passwordSchema) },
    stored: storedPasswords,
    handler: async (context) =>
      passwordViews(context, await passwordsOf(context.storage, context.resource), context.args.context),
  }),
  endpoint({
    path: base,
    methods: ['POST'],
    showsSecret: true,
    summary: 'Create an application password',
    bodyLimitBytes,
    args: { ...ownerArg, app_id: appId, name: required(name) },
    resource: findOwner,
    permission: mayManage('rest_cannot_create_application_passwords'),
    responses: { 201: createdSchema },
    handler: async (context) => {
      const { args, storage, app, settings, resource: user } = context
      const granted = {
        ...{ user, name: nameOf(args.name), appId: typeof args.app_id === 'string' ? args.app_id : '' },
        created: settings.time.now(app.clock).gmt,
      }
      const { id, secret } = await createApplicationPassword(storage, granted)
      context.emit('password.created', { id, user, name: granted.name, appId: granted.appId })
      // The cast: this request has stored it.
      const view = await oneView(context, (await passwordWithId(storage, id)) as StoredRecord, 'edit')
      const [{ href: location = '' } = {}] = view?._links.self ?? []
      return result(
        { ...view, password: formatApplicationPassword(secret) },
        { status: 201, headers: { Location: location, 'Cache-Control': 'private, no-store' } },
      )
    },
  }),
  endpoint({
    path: base,
    methods: ['DELETE'],
    summary: 'Remove all application passwords of a user',
    args: ownerArg,
    resource: findOwner,
    permission: mayManage('rest_cannot_delete_application_passwords'),
    responses: { 200: allDeletedSchema },
    stored: storedPasswords,
    handler: async (context) => {
      const rows = await passwordsOf(context.storage, context.resource)
      const ids = rows.map(({ id }) => id)
      const count = await context.storage.records.remove(applicationPasswords, { field: 'id', in: ids })
      for (const id of ids) context.emit('password.revoked', { id, user: context.resource })
      return { deleted: true, count }
    },
  }),
  endpoint({
    path: `${base}/introspect`,
    methods: ['GET'],
    summary: 'Read the application password of this request',
    args: { ...ownerArg, ...readArgs },
    resource: findOwner,
    permission: mayIntrospect,
    responses: { 200: passwordSchema },
    handler: async (context) =>
      oneView(context, await passwordInUse(context.storage, context.user), context.args.context),
  }),
  endpoint({
    path: one,
    methods: ['GET'],
    summary: 'Read an application password',
    args: { ...ownerArg, ...uuidArg, ...readArgs },
    resource: findOwner,
    permission: mayManage('rest_cannot_read_application_password'),
    responses: { 200: passwordSchema },
    stored: storedPassword,
    handler: async (context) => {
      const { args, storage, resource } = context
      return oneView(context, await passwordOf(storage, resource, args.uuid), args.context)
    },
  }),
  endpoint({
    path: one,
    methods: EDITABLE,
    summary: 'Rename an application password',
    bodyLimitBytes,
    // Interface: `app_id` is accepted and stays as it was created.
    args: { ...ownerArg, ...uuidArg, app_id: appId, name },
    resource: findOwner,
    permission: mayManage('rest_cannot_edit_application_password'),
    responses: { 200: passwordSchema },
    stored: storedPassword,
    handler: async (context) => {
      const { args, storage, resource } = context
      const row = await passwordOf(storage, resource, args.uuid)
      const changes: RecordValues = args.name === undefined ? {} : { name: nameOf(args.name) }
      await storage.records.update(applicationPasswords, [{ id: row.id, changes }])
      return oneView(context, { ...row, ...changes } as StoredRecord, 'edit')
    },
  }),
  endpoint({
    path: one,
    methods: ['DELETE'],
    summary: 'Remove an application password',
    args: { ...ownerArg, ...uuidArg },
    resource: findOwner,
    permission: mayManage('rest_cannot_delete_application_password'),
    responses: { 200: deletedSchema },
    stored: storedPassword,
    handler: async (context) => {
      const { args, storage, resource } = context
      const row = await passwordOf(storage, resource, args.uuid)
      await storage.records.remove(applicationPasswords, { field: 'id', is: row.id })
      context.emit('password.revoked', { id: row.id, user: resource })
      return { deleted: true, previous: passwordMembers(row) }
    },
  }),
])
