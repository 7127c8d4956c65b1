/** Routes for the global colors and typography of the kit. */
import type { Storage } from '../../../contract/storage.ts'
import { anything, required, str, unlisted } from '../../../core/declare/args.ts'
import { endpoint, endpointBelow } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature, type KitRules } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { storedState, valuesDigest } from '../../../core/pipeline/etag.ts'
import { kitOptions } from '../../../render/builder/records/keys.ts'
import { changeKit, readKit, storedPartOf } from '../../shared/kit.ts'
import {
  byId,
  colors,
  type GlobalKind,
  type GlobalList,
  globalKinds,
  itemOf,
  titleOf,
  typography,
  withItem,
} from './model.ts'
import { kitOptionsOf, kitSettingsOf } from './site-kit.ts'
import { globalSchemas, globalsSchema } from './view.ts'

/** Events of this feature. */
export interface GlobalsEvents {
  'globals.changed': { readonly kind: GlobalKind; readonly id: string }
}

const kit: KitRules = {
  stored: [kitOptions.id, kitOptions.settings, colors.part.option, typography.part.option],
  optionsOf: kitOptionsOf,
  settingsOf: kitSettingsOf,
}

/** `idPattern`: D1 accepts hyphens in ids, D2 does not. */
export const globals = ({ idPattern }: { readonly idPattern: string }) =>
  feature('globals', 'builder/v1', endpointsWith(idPattern), { persisted: { kit }, isHistorical: true })

const endpointsWith = (idPattern: string) =>
  [
    endpoint({
      path: '/globals',
      methods: ['GET'],
      args: {},
      summary: 'Read all global colors and typography',
      permission: can('edit_posts'),
      responses: { 200: globalsSchema },
      stored: async ({ storage }) => storedState(await readAll(storage)),
      handler: async ({ storage }) => {
        const { colors, typography } = await readAll(storage)
        return { colors: byId(colors), typography: byId(typography) }
      },
    }),
    ...endpointsOf('colors', idPattern),
    ...endpointsOf('typography', idPattern),
  ] as const

async function readAll(storage: Storage): Promise<{ readonly [kind in GlobalKind]: GlobalList }> {
  const [colorList, fontList] = await Promise.all([readKit(storage, colors.part), readKit(storage, typography.part)])
  return { colors: colorList, typography: fontList }
}

const notFound = () => new ApiError('global_not_found', 'There is no such global item.', 404)

interface ItemContext {
  readonly args: { readonly id: string }
  readonly storage: Storage
}

function endpointsOf<const K extends GlobalKind>(kind: K, idPattern: string) {
  const { part, toValue } = globalKinds[kind]
  const { item, list, echo } = globalSchemas[kind]
  const path = `/globals/${kind}/${parameter('id', idPattern)}` as const
  const id = required(str({ description: 'The id of the item.' }))
  const readItem = async ({ args, storage }: ItemContext) => itemOf(await readKit(storage, part), args.id)
  /** Clients write an item under the tag of the item, of its list, or of all. */
  const storedItem = async (context: ItemContext) =>
    storedState(await readItem(context), {
      within: async () => {
        const all = await readAll(context.storage)
        return [valuesDigest(all[kind]), valuesDigest(all)]
      },
    })
  return [
    endpointBelow({
      path: `/globals/${kind}`,
      methods: ['GET'],
      args: {},
      summary: `List the global ${kind}`,
      permission: can('edit_posts'),
      responses: { 200: list },
      stored: storedPartOf(part),
      handler: async ({ storage }) => byId(await readKit(storage, part)),
    }),
    endpointBelow({
      path,
      methods: ['GET'],
      args: { id },
      summary: `Read one item of the global ${kind}`,
      permission: can('edit_posts'),
      responses: { 200: item },
      stored: async (context) => storedState(await readItem(context)),
      handler: async (context) => {
        const item = await readItem(context)
        if (!item) throw notFound()
        return item
      },
    }),
    endpointBelow({
      path,
      methods: ['POST'],
      args: { id, title: unlisted(anything()), value: unlisted(anything()) },
      summary: `Add a custom item to the global ${kind}, or replace it`,
      permission: can('manage_options'),
      responses: { 200: echo },
      stored: storedItem,
      merges: {},
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
    endpointBelow({
      path,
      methods: ['DELETE'],
      args: { id },
      summary: `Remove a custom item of the global ${kind}`,
      permission: can('manage_options'),
      responses: { 200: item },
      stored: storedItem,
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
