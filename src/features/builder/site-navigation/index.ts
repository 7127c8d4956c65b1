/** Lists the page builder documents that were changed last, and creates new ones. */
import { int, list, required, str } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { anyone, can } from '../../../core/declare/permissions.ts'
import { editAddress } from '../../../site/document-links.ts'
import { editorOf, findContentType } from '../../content/content-types/model.ts'
import { createDocument, recentDocuments } from './model.ts'
import { documentsSchema, documentView, newDocumentSchema } from './view.ts'

const recentTypes = ['page', 'post', 'builder_library']
const maxPosts = 100

/** Interface: 401 here, also for signed-in users. */
const forbiddenWith401 = (message: string) => new ApiError('rest_forbidden', message, 401)

export const siteNavigation = feature(
  'site-navigation',
  'builder/v1',
  [
    endpoint({
      path: '/site-navigation/recent-posts',
      methods: ['GET'],
      args: {
        posts_per_page: required(int({ description: 'How many documents to list.' })),
        post_type: list(str(), { default: recentTypes, description: 'The post types to list.' }),
        post__not_in: list(int(), { description: 'Posts to leave out.' }),
      },
      summary: 'List recently changed documents of the page builder',
      permission: can('edit_posts'),
      responses: { 200: documentsSchema },
      handler: async (context) => {
        const { posts_per_page: requested, post_type: types, post__not_in: notIds = [] } = context.args
        const count = Math.min(Math.max(Math.abs(requested), 1), maxPosts)
        const names = types.map((name) => context.app.names.toNeutral(name))
        const documents = await recentDocuments(context, { types: names, notIds, count })
        return documents.map((document) => documentView(context, document))
      },
    }),
    endpoint({
      path: '/site-navigation/add-new-post',
      methods: ['POST'],
      args: { post_type: str({ default: 'post', description: 'The post type of the draft.' }) },
      summary: 'Create a draft that is ready for the page builder',
      // Interface: an unknown type is 400 before permissions are checked, so the handler checks them.
      permission: anyone,
      responses: { 200: newDocumentSchema },
      handler: async (context) => {
        const { user, settings, app, args } = context
        const type = findContentType(app.names.toNeutral(args.post_type))
        if (!type) throw new ApiError('rest_invalid_post_type', `There is no post type ${args.post_type}.`, 400)
        if (!editorOf(user, type.name).can('edit_posts'))
          throw forbiddenWith401('You may not add a document of this type.')
        if (type.documentType === undefined) {
          throw forbiddenWith401('The page builder does not open documents of this type.')
        }
        const id = await createDocument(context, { ...type, documentType: type.documentType })
        return { id, edit_url: editAddress(settings, id) }
      },
    }),
  ],
  { isHistorical: true },
)
