/** Lets administrators test a running site: the storage, the address, and the credentials of clients. */
import type { Health } from '../../../core/declare/app-context.ts'
import { list, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields } from '../../../core/declare/response-schema.ts'
import type { SiteFinding, SiteTest } from './model.ts'

const testSchema = fields(
  {
    test: str({ description: 'The name of the test.' }),
    label: str({ description: 'What was found, in one sentence.' }),
    status: oneOf(['good', 'recommended', 'critical'], { description: 'How urgent it is.' }),
    description: str({ description: 'What it means, and what to do.' }),
  },
  { title: 'Test of the site' },
)

const storageFindings: { readonly [state in Health['storage']]: SiteFinding } = {
  ok: { label: 'The storage answers.', status: 'good', description: 'Pages and requests can be served.' },
  slow: {
    label: 'The storage is slow.',
    status: 'critical',
    description: 'It gave no answer within two seconds: look at the load and at the connection of the database.',
  },
  failed: { label: 'The storage fails.', status: 'critical', description: 'Repair it: the process needs no restart.' },
  closed: { label: 'The site is closing.', status: 'critical', description: 'This process takes no further requests.' },
}

const ownTests: readonly SiteTest[] = [
  { name: 'storage', run: async ({ app }) => storageFindings[(await app.health()).storage] },
  {
    name: 'https-status',
    run: ({ settings }) =>
      settings.home.startsWith('https://')
        ? { label: 'The site has a secure address.', status: 'good', description: 'Visitors reach it by HTTPS.' }
        : {
            label: 'The address of the site is not secure.',
            status: 'recommended',
            description: 'Serve it by HTTPS, and set its address in the settings or in the option url.',
          },
  },
  {
    name: 'authorization-header',
    // The permission refuses callers whose credentials did not arrive.
    run: () => ({
      label: 'Credentials of clients arrive.',
      status: 'good',
      description: 'This request was signed in, so that no server before the site drops them.',
    }),
  },
]

const findingOf = async ({ name, run }: SiteTest, context: Context) => ({ test: name, ...(await run(context)) })

const endpointsOf = (tests: readonly SiteTest[]) =>
  [
    endpoint({
      path: '/tests',
      methods: ['GET'],
      args: {},
      summary: 'Test the site',
      permission: can('manage_options'),
      responses: { 200: list(testSchema) },
      handler: (context) => Promise.all(tests.map((test) => findingOf(test, context))),
    }),
    endpoint({
      path: `/tests/${parameter('test', '[\\w-]+')}`,
      methods: ['GET'],
      args: {
        test: required(
          oneOf(
            tests.map(({ name }) => name),
            { description: 'The name of the test.' },
          ),
        ),
      },
      summary: 'Run one test of the site',
      permission: can('manage_options'),
      responses: { 200: testSchema },
      // The argument is one of these names.
      handler: (context) => findingOf(tests.find(({ name }) => name === context.args.test) as SiteTest, context),
    }),
  ] as const

/** `cms-site-health/v1`. */
export const siteHealth = feature('site-health-tests', 'cms-site-health/v1', endpointsOf(ownTests), {
  completed: (read) => endpointsOf([...ownTests, ...read('siteTests')]),
})
