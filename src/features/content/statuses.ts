/** The statuses of posts. Read-only. */
import { bool, context, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { parameter } from '../../core/declare/pattern.ts'
import { forbidden, permission } from '../../core/declare/permissions.ts'
import { editOnly, fields, links, mapOf, notEmbedded } from '../../core/declare/response-schema.ts'
import { unlessEdit, type ViewContext } from './content-types/model.ts'

interface Status {
  readonly slug: string
  readonly name: string
  /** Says who reads posts with it: everybody, their editors (`protected`), those with a separate capability (`private`). */
  readonly seen: 'public' | 'protected' | 'private' | 'nobody'
  /** Whether a post keeps no fixed date. */
  readonly isFloating?: boolean
}

const statuses: readonly Status[] = [
  { slug: 'publish', name: 'Published', seen: 'public' },
  { slug: 'future', name: 'Scheduled', seen: 'protected' },
  { slug: 'draft', name: 'Draft', seen: 'protected', isFloating: true },
  { slug: 'pending', name: 'Pending', seen: 'protected', isFloating: true },
  { slug: 'private', name: 'Private', seen: 'private' },
  { slug: 'trash', name: 'Trash', seen: 'nobody' },
]

/** Statuses of rows that no list offers. */
const internalStatuses: readonly string[] = [
  ...['auto-draft', 'inherit'],
  ...['request-pending', 'request-confirmed', 'request-failed', 'request-completed'],
]

const toEditors = (description: string) => editOnly(bool({ description: `${description} In the edit context.` }))

const statusSchema = fields(
  {
    name: str({ description: 'What people call it.' }),
    private: toEditors('Whether only users with a capability of its own see such posts.'),
    protected: toEditors('Whether only editors of such posts see them.'),
    public: notEmbedded(bool({ description: 'Whether visitors see such posts.' })),
    queryable: notEmbedded(bool({ description: 'Whether such posts have pages.' })),
    show_in_list: toEditors('Whether lists of an administration include such posts.'),
    slug: str({ description: 'What the service calls it.' }),
    date_floating: notEmbedded(bool({ description: 'Whether the date follows the moment of publishing.' })),
    _links: fields({ archives: links() }),
  },
  { title: 'Status', record: 'status' },
)

const mayEdit = ({ user }: Pick<Context, 'user'>) => user.can('edit_posts')
const isVisible = ({ seen }: Status, context: Pick<Context, 'user'>) => seen === 'public' || mayEdit(context)
const notEditor = 'You may not see all about the statuses of posts.'

function statusView({ settings, app }: Pick<Context, 'settings' | 'app'>, status: Status, viewContext: ViewContext) {
  const { slug, name, seen, isFloating = false } = status
  const isPublic = seen === 'public'
  const archive = `${settings.apiRoot}/${app.names.toPublic('cms/v2')}/posts`
  return {
    name,
    ...(viewContext === 'edit' ? { private: seen === 'private', protected: seen === 'protected' } : {}),
    ...(viewContext === 'embed' ? {} : { public: isPublic, queryable: isPublic }),
    ...(viewContext === 'edit' ? { show_in_list: seen !== 'nobody' } : {}),
    slug,
    ...(viewContext === 'embed' ? {} : { date_floating: isFloating }),
    _links: { archives: [{ href: isPublic ? archive : `${archive}?status=${slug}` }] },
  }
}

function findStatus({ args, user }: Pick<Context<{ readonly status?: string }>, 'args' | 'user'>): Status {
  const { status: slug = '' } = args
  const status = statuses.find((each) => each.slug === slug)
  if (status && isVisible(status, { user })) return status
  if (status || internalStatuses.includes(slug)) {
    throw forbidden(user, 'rest_cannot_read_status', 'This status is not public.')
  }
  throw new ApiError('rest_status_invalid', 'There is no such status.', 404)
}

export const postStatuses = feature('statuses', 'cms/v2', [
  endpoint({
    path: '/statuses',
    methods: ['GET'],
    cacheable: true,
    args: { context: context() },
    summary: 'List the statuses of posts',
    permission: unlessEdit(mayEdit, notEditor, 'edit_posts'),
    responses: { 200: mapOf(statusSchema) },
    handler: (context) => {
      const visible = statuses.filter((status) => isVisible(status, context))
      return Object.fromEntries(
        visible.map((status) => [status.slug, statusView(context, status, context.args.context)]),
      )
    },
  }),
  endpoint({
    path: `/statuses/${parameter('status', '[\\w-]+')}`,
    methods: ['GET'],
    cacheable: true,
    args: { status: str({ description: 'The name of the status.' }), context: context() },
    summary: 'Read a status of posts',
    resource: findStatus,
    permission: permission<{ readonly context: ViewContext }, Status>(
      'anyone who may see the status; in the edit context edit_posts',
      (context) =>
        context.args.context === 'edit' && !mayEdit(context)
          ? forbidden(context.user, 'rest_forbidden_context', notEditor)
          : undefined,
    ),
    responses: { 200: statusSchema },
    handler: (context) => statusView(context, context.resource, context.args.context),
  }),
])
