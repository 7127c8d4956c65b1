/** The template library: page builder documents stored for reuse. */

import { anything, int, list, object, oneOf, required, str, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits, parameter } from '../../../core/declare/pattern.ts'
import { can, forbidden, permission } from '../../../core/declare/permissions.ts'
import { nonJsonBody } from '../../../core/declare/response-schema.ts'
import { result, Stream } from '../../../core/declare/result.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'
import { catalogueFile, categoriesOf, listCatalogue } from './catalogue.ts'
import { fileName, maxExported, templateFiles, zipOfTemplates } from './export.ts'
import { createTemplate, noTemplate, readTemplates, templateType } from './model.ts'
import { catalogueView, fileSchema, librarySchema, templateSchema, templateView } from './view.ts'

const base = '/template-library/templates'

const maySave = permission('edit_posts', ({ user }) =>
  user.can('edit_posts') ? undefined : forbidden(user, 'save_error', 'You may not save templates.'),
)

async function listSource(context: Context, source: 'local' | 'remote' | 'cloud') {
  if (source === 'cloud') return []
  if (source === 'remote') {
    return (await listCatalogue(context)).map((template) => catalogueView(context, template))
  }
  return (await readTemplates(context)).map((template) => templateView(context, template))
}

const asDownload = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}"` })

/** `types`: the document types that a template can have. */
export const templateLibrary = ({ types }: { readonly types: readonly string[] }) =>
  feature(
    'template-library',
    'builder/v1',
    [
      endpoint({
        path: base,
        methods: ['GET'],
        args: { source: unlisted(oneOf(['local', 'remote', 'cloud'])) },
        summary: 'List the templates of the site, or of the catalogue that the host names',
        permission: can('edit_posts'),
        responses: { 200: librarySchema },
        handler: async (context) => {
          const { source = 'local' } = context.args
          return { templates: await listSource(context, source), config: await categoriesOf(context) }
        },
      }),
      endpoint({
        path: base,
        methods: ['POST'],
        args: {
          title: str({ description: 'The title of the template.' }),
          type: required(oneOf(types, { description: 'What kind of document it is.' })),
          content: object({}, { description: 'The elements.' }),
          page_settings: unlisted(object({}, { description: 'The settings of the page.' })),
          global_classes: unlisted(
            anything({ description: 'The global classes that the elements name, as a file has them.' }),
          ),
          global_variables: unlisted(anything({ description: 'The variables that they name, as a file has them.' })),
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
            design: { classes: context.args.global_classes, variables: context.args.global_variables },
          }
          return templateView(context, await createTemplate(context, input))
        },
      }),
      endpoint({
        path: `${base}/${digits('id')}/export`,
        methods: ['GET'],
        unlisted: true,
        args: { id: required(int({ description: 'The ID of the template.' })) },
        summary: 'Export a template of the site as a file',
        permission: can('edit_posts'),
        responses: { 200: fileSchema },
        handler: async (context) => {
          const [template] = await readTemplates(context, [context.args.id])
          if (!template) throw noTemplate()
          const [file] = await templateFiles(context, [template])
          return result(file, { headers: asDownload(`${fileName(template)}.json`) })
        },
      }),
      endpoint({
        path: `${base}/export`,
        methods: ['GET'],
        unlisted: true,
        args: { ids: required(list(int(), { minItems: 1, maxItems: maxExported, uniqueItems: true })) },
        summary: 'Export several templates of the site as a zip archive of their files',
        permission: can('edit_posts'),
        responses: { 200: nonJsonBody('application/zip', { description: 'A JSON file for each template.' }) },
        handler: async (context) => {
          const { ids } = context.args
          const templates = await readTemplates(context, ids)
          if (templates.length < ids.length) throw noTemplate()
          const zip = zipOfTemplates(await templateFiles(context, templates), templates)
          return result(new Stream(zip, 'application/zip'), { headers: asDownload('templates.zip') })
        },
      }),
      endpoint({
        path: `/template-library/catalogue/${parameter('id', '[\\w.-]+')}`,
        methods: ['GET'],
        unlisted: true,
        args: { id: required(str({ maxLength: 100, description: 'The ID of the template in the catalogue.' })) },
        summary: 'Read a template of the catalogue as a file, in the form in which templates are saved',
        permission: can('edit_posts'),
        // The catalogue is outside: no transaction while it is read.
        atomic: false,
        responses: { 200: fileSchema },
        handler: (context) => catalogueFile(context, context.args.id),
      }),
    ],
    { persisted: { postTypes: [templateType] }, services: drawsDocuments, isHistorical: true },
  )
