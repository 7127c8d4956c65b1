/** The library of templates: documents of the page builder that are kept to be used again. */
import { object, oneOf, required, str, unlisted } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can, forbidden, permission } from '../../../core/declare/permissions.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { createTemplate, readTemplates, templateType } from './model.ts'
import { librarySchema, templateSchema, templateView } from './view.ts'

/** Choice: no remote catalogue belongs to a site of its own. */
const config = { block: { categories: [] }, popup: { categories: [] } }

const maySave = permission('edit_posts', ({ user }) =>
  user.can('edit_posts')
    ? undefined
    : forbidden(user, 'save_error', 'Sorry, you are not allowed to save templates on this site.'),
)

/** `types`: what a template can be. */
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
        handler: (context) => {
          const { source = 'local' } = context.args
          if (source !== 'local') return { templates: [], config }
          return andThen(readTemplates(context), (templates) => ({
            templates: templates.map((one) => templateView(context, one)),
            config,
          }))
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
        handler: (context) => {
          const { title, type, content, page_settings: pageSettings } = context.args
          const sent = {
            type,
            ...(title === undefined ? {} : { title }),
            ...(content === undefined ? {} : { content }),
            ...(pageSettings === undefined ? {} : { pageSettings }),
          }
          return andThen(createTemplate(context, sent), (template) => templateView(context, template))
        },
      }),
    ],
    { persisted: { postTypes: [templateType] } },
  )
