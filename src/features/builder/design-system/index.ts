/** Writes the style sheet that shares marked variables and classes with elements of the old generation. */

import { int, str } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields, noBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { loadCss } from '../../shared/atomic-styles.ts'
import { readKit } from '../../shared/kit.ts'
import { classesPart } from '../global-classes/model.ts'
import { writeStyleSheet } from '../styles/model.ts'
import { variablesPart } from '../variables/model.ts'
import { sharedStyles } from './model.ts'

const styleSheetSchema = fields(
  { url: str({ format: 'uri' }), version: int({ description: 'Another one with each change.' }) },
  { title: 'Style sheet' },
)

export const designSystem = feature('design-system', 'builder/v1', [
  endpoint({
    path: '/design-system-sync/stylesheet',
    methods: ['POST'],
    args: {},
    summary: 'Write the style sheet shared with older elements',
    permission: can('edit_posts'),
    atomic: false,
    responses: {
      201: styleSheetSchema,
      204: noBody(),
      500: fields({ message: str() }, { description: 'The style sheet could not be written.' }),
    },
    handler: async (context) => {
      const { storage, app } = context
      const variables = await readKit(storage, variablesPart)
      const { live } = await readKit(storage, classesPart)
      const sheet = sharedStyles(await loadCss(), variables, live)
      if (sheet === undefined) return result(null, { status: 204 })
      try {
        return result(await writeStyleSheet(context, 'design-system-sync', sheet), { status: 201 })
      } catch (error) {
        // Interface: this error has no code.
        app.log.error('a style sheet was not written', { id: randomId(), error })
        return result({ message: 'The style sheet could not be written.' }, { status: 500 })
      }
    },
  }),
])
