/** Serves front ends that ask for the elements of components beside their documents. */
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { enveloped } from '../../shared/envelope.ts'
import { oneOrSeveral } from './args.ts'
import { elementsOfComponents } from './records.ts'
import { elementsOfComponentsSchema, ofOneOrSeveral } from './view.ts'

export const componentsOfClients = [
  endpoint({
    path: '/components/elements',
    methods: ['GET'],
    args: oneOrSeveral(),
    summary: 'Read the elements of a component, or of several by their ids',
    permission: can('edit_posts'),
    responses: { 200: elementsOfComponentsSchema },
    handler: async ({ args, storage }) => enveloped(await ofOneOrSeveral(storage, args, elementsOfComponents)),
  }),
] as const
