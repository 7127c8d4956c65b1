/** Connects the site to the template library with a token that the user received there. */

import { required, secret, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { ApiError } from '../../core/declare/errors.ts'
import { feature } from '../../core/declare/feature.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'
import { result } from '../../core/declare/result.ts'
import { randomId } from '../../core/runtime/crypto.ts'
import { OAuthError } from '../../services/oauth/index.ts'
import { clientFor, endConnection, libraryConnection, requireOAuth, storeTokens } from '../account/connections/model.ts'

const doneSchema = fields({ success: exactly(true), message: str() })
const path = '/library/connect'
const maxTokenLength = 4096

const token = secret(
  required(
    str({
      description: 'Connect CLI token.',
      check: (value: string) => (value.length > maxTokenLength ? 'It is too long for a token.' : undefined),
    }),
  ),
)

export const library = feature('library', 'builder/v1', [
  endpoint({
    path,
    methods: ['POST'],
    args: { token },
    summary: 'Connect the site to the library',
    permission: can('manage_options'),
    responses: { 201: doneSchema },
    atomic: false,
    handler: async (context) => {
      const connect = requireOAuth(context, 'builder_library_app_not_available')
      try {
        const client = await clientFor(context, libraryConnection, connect)
        const tokens = await connect.redeem(client, context.args.token)
        await storeTokens(context, { connection: libraryConnection, user: context.user.id, client }, tokens)
      } catch (error) {
        throw error instanceof OAuthError ? connectError(context, error) : error
      }
      return result({ success: true, message: 'The site is connected to the library.' }, { status: 201 })
    },
  }),
  endpoint({
    path,
    methods: ['DELETE'],
    args: {},
    summary: 'End the connection to the library',
    permission: can('manage_options'),
    responses: { 200: doneSchema },
    atomic: false,
    handler: async (context) => {
      await endConnection(context, libraryConnection)
      return { success: true, message: 'The site is not connected to the library.' }
    },
  }),
])

function connectError({ app }: Context, error: OAuthError): ApiError {
  if (error.code === 'refused') {
    return new ApiError('builder_library_not_connected', 'The library refuses this token.', 400)
  }
  const id = randomId()
  app.log.error('the library could not be connected', { id, error })
  return new ApiError('builder_library_connect_error', 'The library did not answer as it should.', 502, { id })
}
