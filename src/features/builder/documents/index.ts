/** Imports the images of page builder documents into the media library. */

import { int, required } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { exactly, fields } from '../../../core/declare/response-schema.ts'
import { elementsKey, pageSettingsKey } from '../../shared/elements.ts'
import { storedElements } from '../../shared/references/element-references.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'
import { conditionReferences } from '../../shared/templates/template-conditions.ts'
import { conditionsKey } from '../../shared/templates/template-context.ts'
import { importedFiles } from './imported-files.ts'
import { importMedia } from './model.ts'

export const documents = feature(
  'documents',
  'builder/v1/documents',
  [
    endpoint({
      path: `/${digits('id')}/media/import`,
      methods: ['POST'],
      args: { id: required(int({ description: 'The ID of the document.' })) },
      summary: 'Import the media of a document into the library',
      permission: can('manage_options'),
      responses: { 200: fields({ success: exactly(true), document_saved: exactly(true) }) },
      // The handler fetches from other sites and opens its own transaction afterwards.
      atomic: false,
      handler: async (context) => {
        await importMedia(context, context.args.id)
        return { success: true, document_saved: true }
      },
    }),
  ],
  {
    isHistorical: true,
    services: drawsDocuments,
    persisted: {
      collections: [{ collection: importedFiles, references: { medium: 'post' } }],
      embeddedReferences: {
        [elementsKey]: storedElements,
        [pageSettingsKey]: storedElements,
        [conditionsKey]: conditionReferences,
      },
    },
  },
)
