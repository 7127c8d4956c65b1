/** All errors have one schema, and each status one shared response with the service's codes. */
import {
  type ApiError,
  errorBody,
  invalidArguments,
  invalidJson,
  missingArguments,
  noRoute,
  queryTooLarge,
  tooLarge,
  unsupportedEncoding,
} from '../../declare/errors.ts'
import { keyInUse, keyReused, resultNotKept, unavailable } from '../../request/repeat-errors.ts'
import type { JsonSchema, Ref, Response, Responses } from './document.ts'

export const errorSchema: JsonSchema = {
  title: 'Error',
  description: 'Why a request was refused.',
  type: 'object',
  properties: {
    code: { type: 'string', description: 'Tells one reason from another. It stays the same; the message may not.' },
    message: { type: 'string', description: 'The reason for people.' },
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer', description: 'The status of the answer.' },
        params: {
          description: 'What is wrong with each argument, by its name, or the names of those that are missing.',
          anyOf: [
            { type: 'object', additionalProperties: { type: 'string' } },
            { type: 'array', items: { type: 'string' } },
          ],
        },
        details: { type: 'object', description: 'The code and message of each problem, by the name of the argument.' },
        id: { type: 'string', description: 'Of a failure: what the log calls it.' },
        written: {
          type: 'string',
          enum: ['no', 'perhaps'],
          description: 'Of a storage that is not available: whether the change may have been written.',
        },
        retry_after: { type: 'integer', description: 'As Retry-After: the seconds after which to try again.' },
      },
      required: ['status'],
    },
  },
  required: ['code', 'message', 'data'],
}

interface Refusal {
  readonly status: number | 'default'
  readonly description: string
  readonly examples?: readonly (ApiError | ReturnType<typeof errorBody>)[]
}

const example = (code: string, message: string, status: number, more: object = {}) => ({
  code,
  message,
  data: { status, ...more },
})

const wrongCredentials = example('rest_invalid_credentials', 'The login or the application password is wrong.', 401)
const notAllowed = 'You may not do this.'

const refusals = {
  BadArguments: {
    status: 400,
    description: 'An argument is missing or wrong, or the body can not be read.',
    examples: [
      missingArguments(['name']),
      invalidArguments(
        new Map([['name', { code: 'rest_invalid_type', message: 'name has the wrong type: it takes integer.' }]]),
      ),
      invalidJson('it can not be parsed'),
    ],
  },
  SignInNeeded: {
    status: 401,
    description: 'Nobody is signed in, or the credentials are wrong.',
    examples: [example('rest_forbidden', notAllowed, 401), wrongCredentials],
  },
  WrongCredentials: {
    status: 401,
    description: 'Credentials were sent, and they are wrong.',
    examples: [wrongCredentials],
  },
  Forbidden: {
    status: 403,
    description: 'The user who is signed in may not do this.',
    examples: [example('rest_forbidden', notAllowed, 403)],
  },
  NotFound: { status: 404, description: 'There is no such record, or no such route.', examples: [noRoute()] },
  Conflict: {
    status: 409,
    description: 'Another record is in the way, or another request with this Idempotency-Key.',
    examples: [
      example('rest_conflict', 'Another record has this slug.', 409),
      errorBody(keyInUse()),
      errorBody(resultNotKept()),
    ],
  },
  Changed: {
    status: 412,
    description: 'The record was changed since its ETag was read.',
    examples: [example('rest_precondition_failed', 'The record was changed since it was read.', 412)],
  },
  BodyTooLarge: { status: 413, description: 'The body is too large.', examples: [tooLarge(10 * 1024 * 1024)] },
  QueryTooLong: {
    status: 414,
    description: 'The query is too long, or has too many values.',
    examples: [queryTooLarge('has more than 1000 values')],
  },
  UnreadableBody: {
    status: 415,
    description: 'The body is compressed, or in a character set other than UTF-8.',
    examples: [unsupportedEncoding()],
  },
  KeyReused: {
    status: 422,
    description: 'The Idempotency-Key was sent with another request.',
    examples: [errorBody(keyReused())],
  },
  ConditionNeeded: {
    status: 428,
    description: 'This site takes writes to a record with If-Match only.',
    examples: [example('rest_precondition_required', 'Send the ETag that was read as If-Match.', 428)],
  },
  Failure: {
    status: 500,
    description: 'Something failed on our side. The log knows more under the id.',
    examples: [
      example('internal_server_error', 'The request could not be carried out.', 500, {
        id: '00000000-0000-4000-8000-000000000000',
      }),
    ],
  },
  Unavailable: {
    status: 503,
    description:
      'The storage is not available now. Try again after Retry-After; a write whose outcome is unknown with its Idempotency-Key.',
    examples: (['no', 'perhaps'] as const).map((written) =>
      errorBody(unavailable(written, '00000000-0000-4000-8000-000000000000')),
    ),
  },
  Refusal: { status: 'default', description: 'Any other refusal, with a code of its own.' },
} as const satisfies { readonly [name: string]: Refusal }

export type RefusalName = keyof typeof refusals

export const error: JsonSchema = { $ref: '#/components/schemas/Error' }

export const errorResponses = (word: (code: string) => string): { readonly [name: string]: Response } =>
  Object.fromEntries(
    Object.entries<Refusal>(refusals).map(([name, { description, examples = [] }]) => {
      const bodies = examples.map((one) => (isBody(one) ? one : errorBody(one)))
      const named = bodies.map((value) => [value.code, { value: { ...value, code: word(value.code) } }] as const)
      const shown = named.length > 0 ? { examples: Object.fromEntries(named) } : {}
      return [name, { description, content: { 'application/json': { schema: error, ...shown } } }]
    }),
  )

const isBody = (one: ApiError | ReturnType<typeof errorBody>): one is ReturnType<typeof errorBody> =>
  !('isApiError' in one)

export const refusalsOf = (names: readonly RefusalName[]): Responses =>
  Object.fromEntries(
    names.map((name): [string, Ref] => [String(refusals[name].status), { $ref: `#/components/responses/${name}` }]),
  )
