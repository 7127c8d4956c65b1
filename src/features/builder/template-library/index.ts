/** The template library: page builder documents stored for reuse. */
import { object, oneOf, required, str, unlisted } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can, forbidden, permission } from '../../../core/declare/permissions.ts'
import { createTemplate, readTemplates, templateType } from './model.ts'
import { librarySchema, templateSchema, templateView } from './view.ts'

/** Choice: a site has no remote catalogue, so the lists of its categories are empty. */
const config = { block: { categories: [] }, popup: { categories: [] } }

const maySave = permission('edit_posts', ({ user }) =>
  user.can('edit_posts') ? undefined : forbidden(user, 'save_error', 'You may not save templates.'),
)

/** `types`: the document types that a template can have. */
export const templateLibrary = ({ types }: { readonly types: readonly string[] }) =>
  feature(
    'template-library',
    'builder/v1',
    [
      endpoint({
        path: '/template-library/templates',
        methods: ['GET'],
        args: { source: unlisted(oneOf(['local', 'remote', 'cloud'])) },
        summary: 'List the templates of the site',
        permission: can('edit_posts'),
        responses: { 200: librarySchema },
        handler: async (context) => {
          const { source = 'local' } = context.args
          if (source !== 'local') return { templates: [], config }
          const templates = await readTemplates(context)
          return { templates: templates.map((template) => templateView(context, template)), config }
        },
      }),
      endpoint({
        path: '/template-library/templates',
        methods: ['POST'],
        args: {
          title: str({ description: 'The title of the template.' }),
          type: required(oneOf(types, { description: 'What kind of document it is.' })),
          content: object({}, { description: 'The elements.' }),
          page_settings: unlisted(object({}, { description: 'The settings of the page.' })),
        },
        summary: 'Save a template',
        permission: maySave,
        responses: { 200: templateSchema },
        handler: async (context) => {
          const { title, type, content, page_settings: pageSettings } = context.args
          const input = {
            type,
            ...(title === undefined ? {} : { title }),
            ...(content === undefined ? {} : { content }),
            ...(pageSettings === undefined ? {} : { pageSettings }),
          }
          return templateView(context, await createTemplate(context, input))
        },
      }),
    ],
    { persisted: { postTypes: [templateType] } },
  )
