/** Redirects from old paths of a site. */
import {
  ApiError,
  anyone,
  args,
  type Collection,
  can,
  digits,
  endpoint,
  feature,
  pageOf,
  result,
  type Storage,
} from 'site-api'

const { int, paging, required, search, str } = args

const redirects: Collection = {
  name: 'redirects',
  fields: { path: 'text', target: 'text' },
  unique: [['path']],
}

const id = required(int({ description: 'The redirect.' }))

const createArgs = {
  path: required(str({ description: 'The old path.', pattern: '/[^\\s?#]*', maxLength: 200 })),
  target: required(str({ description: 'The address it leads to.', pattern: 'https?://\\S+', maxLength: 2000 })),
}

async function findRedirect({ args, storage }: { args: { readonly id: number }; storage: Storage }) {
  const { rows } = await storage.records.query(redirects, { where: { field: 'id', is: args.id } })
  if (!rows[0]) throw new ApiError('redirect_not_found', 'There is no such redirect.', 404)
  return rows[0]
}

export const redirectRoutes = feature(
  'redirects',
  'magazine/v1',
  [
    endpoint({
      path: '/redirects',
      methods: ['GET'],
      args: { ...paging(), search: search() },
      summary: 'List redirects',
      permission: anyone,
      handler: async (context) => {
        const { page, per_page: perPage, search = '' } = context.args
        const listed = await context.storage.records.query(redirects, {
          where: { field: 'path', holds: search },
          order: [{ by: 'path' }],
          offset: (page - 1) * perPage,
          limit: perPage,
          total: true,
        })
        return pageOf(context, { ...listed, page, perPage })
      },
    }),
    endpoint({
      path: '/redirects',
      methods: ['POST'],
      args: createArgs,
      batch: true,
      summary: 'Add a redirect',
      permission: can('manage_options'),
      handler: async ({ args: { path, target }, storage }) => {
        const [made] = await storage.records.insert(redirects, [{ path, target }])
        return result({ id: made, path, target }, { status: 201 })
      },
    }),
    endpoint({
      path: `/redirects/${digits('id')}`,
      methods: ['GET'],
      args: { id },
      summary: 'Read a redirect',
      resource: findRedirect,
      permission: anyone,
      handler: ({ resource }) => resource,
    }),
    endpoint({
      path: `/redirects/${digits('id')}`,
      methods: ['DELETE'],
      args: { id },
      batch: true,
      summary: 'Remove a redirect',
      resource: findRedirect,
      permission: can('manage_options'),
      handler: async ({ resource, storage }) => {
        await storage.records.remove(redirects, { field: 'id', is: resource.id })
        return { deleted: true, previous: resource }
      },
    }),
  ],
  { persisted: { collections: [{ collection: redirects }] } },
)
