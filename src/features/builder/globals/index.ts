/** Global colors and typography of the kit, as clients read and change them. */
import { anything, required, str, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { changeKit, readKit } from '../../shared/kit/model.ts'
import { byId, colors, type GlobalKind, globalKinds, titleOf, typography, withItem } from './model.ts'
import { globalSchemas, globalsSchema } from './view.ts'

/** What it tells listeners. */
export interface GlobalsEvents {
  'globals.changed': { readonly kind: GlobalKind; readonly id: string }
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends GlobalsEvents {}
}

/** D1 takes hyphens in ids, D2 does not. */
export const globals = ({ idPattern }: { readonly idPattern: string }) =>
  feature('globals', 'builder/v1', [
    endpoint({
      path: '/globals',
      methods: ['GET'],
      args: {},
      summary: 'Read all global colors and typography',
      permission: can('edit_posts'),
      responses: { 200: globalsSchema },
      handler: ({ storage }) =>
        andThen(all([readKit(storage, colors.part), readKit(storage, typography.part)]), ([tones, fonts]) => ({
          colors: byId(tones),
          typography: byId(fonts),
        })),
    }),
    ...endpointsOf('colors', idPattern),
    ...endpointsOf('typography', idPattern),
  ])

const notFound = () => new ApiError('global_not_found', 'There is no such global item.', 404)

function endpointsOf<const K extends GlobalKind>(kind: K, idPattern: string) {
  const { part, toValue } = globalKinds[kind]
  const { item, list, written } = globalSchemas[kind]
  const path = `/globals/${kind}/${parameter('id', idPattern)}` as const
  const id = required(str({ description: 'Unique identifier of the item.' }))
  return [
    endpoint({
      path: `/globals/${kind}`,
      methods: ['GET'],
      args: {},
      summary: `List the global ${kind}`,
      permission: can('edit_posts'),
      responses: { 200: list },
      handler: ({ storage }) => andThen(readKit(storage, part), byId),
    }),
    endpoint({
      path,
      methods: ['GET'],
      args: { id },
      summary: `Read one item of the global ${kind}`,
      permission: can('edit_posts'),
      responses: { 200: item },
      handler: ({ args, storage }) =>
        andThen(readKit(storage, part), ({ system, custom }) => {
          const found = [...custom, ...system].find((item) => item.id === args.id)
          if (!found) throw notFound()
          return found
        }),
    }),
    endpoint({
      path,
      methods: ['POST'],
      args: { id, title: unlisted(anything()), value: unlisted(anything()) },
      summary: `Add a custom item to the global ${kind}, or replace it`,
      permission: can('manage_options'),
      responses: { 200: written },
      handler: ({ args, storage, sent, emit }) => {
        const item = { id: args.id, title: titleOf(args.title), value: toValue(args.value) }
        const change = changeKit(storage, part, ({ system, custom }) => ({
          next: { system, custom: withItem(custom, item) },
          // Interface: the answer echoes the body; what else it held is not stored.
          answer: { ...sent, title: item.title, value: item.value, id: item.id },
        }))
        return emitChange(emit, kind, args.id, change)
      },
    }),
    endpoint({
      path,
      methods: ['DELETE'],
      args: { id },
      summary: `Remove a custom item of the global ${kind}`,
      permission: can('manage_options'),
      responses: { 200: item },
      handler: ({ args, storage, emit }) => {
        const change = changeKit(storage, part, ({ system, custom }) => {
          const found = custom.find((item) => item.id === args.id)
          if (!found) throw notFound()
          return { next: { system, custom: custom.filter((item) => item !== found) }, answer: found }
        })
        return emitChange(emit, kind, args.id, change)
      },
    }),
  ] as const
}

function emitChange<T>(emit: Context['emit'], kind: GlobalKind, id: string, change: MaybePromise<T>): MaybePromise<T> {
  return andThen(change, (answer) => {
    emit('globals.changed', { kind, id })
    return answer
  })
}
