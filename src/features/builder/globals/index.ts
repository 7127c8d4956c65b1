/** Routes for the global colors and typography of the kit. */
import { anything, required, str, unlisted } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { changeKit, readKit } from '../../shared/kit.ts'
import { byId, colors, type GlobalKind, globalKinds, titleOf, typography, withItem } from './model.ts'
import { globalSchemas, globalsSchema } from './view.ts'

/** Events of this feature. */
export interface GlobalsEvents {
  'globals.changed': { readonly kind: GlobalKind; readonly id: string }
}

/** `idPattern`: D1 accepts hyphens in ids, D2 does not. */
export const globals = ({ idPattern }: { readonly idPattern: string }) =>
  feature('globals', 'builder/v1', [
    endpoint({
      path: '/globals',
      methods: ['GET'],
      args: {},
      summary: 'Read all global colors and typography',
      permission: can('edit_posts'),
      responses: { 200: globalsSchema },
      handler: async ({ storage }) => {
        const [colorList, fontList] = await Promise.all([
          readKit(storage, colors.part),
          readKit(storage, typography.part),
        ])
        return { colors: byId(colorList), typography: byId(fontList) }
      },
    }),
    ...endpointsOf('colors', idPattern),
    ...endpointsOf('typography', idPattern),
  ])

const notFound = () => new ApiError('global_not_found', 'There is no such global item.', 404)

function endpointsOf<const K extends GlobalKind>(kind: K, idPattern: string) {
  const { part, toValue } = globalKinds[kind]
  const { item, list, echo } = globalSchemas[kind]
  const path = `/globals/${kind}/${parameter('id', idPattern)}` as const
  const id = required(str({ description: 'The id of the item.' }))
  return [
    endpoint({
      path: `/globals/${kind}`,
      methods: ['GET'],
      args: {},
      summary: `List the global ${kind}`,
      permission: can('edit_posts'),
      responses: { 200: list },
      handler: async ({ storage }) => byId(await readKit(storage, part)),
    }),
    endpoint({
      path,
      methods: ['GET'],
      args: { id },
      summary: `Read one item of the global ${kind}`,
      permission: can('edit_posts'),
      responses: { 200: item },
      handler: async ({ args, storage }) => {
        const { system, custom } = await readKit(storage, part)
        const item = [...custom, ...system].find(({ id }) => id === args.id)
        if (!item) throw notFound()
        return item
      },
    }),
    endpoint({
      path,
      methods: ['POST'],
      args: { id, title: unlisted(anything()), value: unlisted(anything()) },
      summary: `Add a custom item to the global ${kind}, or replace it`,
      permission: can('manage_options'),
      responses: { 200: echo },
      takesAnyMembers: true,
      handler: async ({ args, storage, sent, emit }) => {
        const item = { id: args.id, title: titleOf(args.title), value: toValue(args.value) }
        const echoed = await changeKit(storage, part, ({ system, custom }) => ({
          next: { system, custom: withItem(custom, item) },
          // Interface: the response echoes the body, including members that are not stored.
          answer: { ...sent, title: item.title, value: item.value, id: item.id },
        }))
        emit('globals.changed', { kind, id: args.id })
        return echoed
      },
    }),
    endpoint({
      path,
      methods: ['DELETE'],
      args: { id },
      summary: `Remove a custom item of the global ${kind}`,
      permission: can('manage_options'),
      responses: { 200: item },
      handler: async ({ args, storage, emit }) => {
        const removed = await changeKit(storage, part, ({ system, custom }) => {
          const item = custom.find(({ id }) => id === args.id)
          if (!item) throw notFound()
          return { next: { system, custom: custom.filter((other) => other !== item) }, answer: item }
        })
        emit('globals.changed', { kind, id: args.id })
        return removed
      },
    }),
  ] as const
}
