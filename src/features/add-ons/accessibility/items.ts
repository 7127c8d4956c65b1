/** The remediations of one page. A write to an unknown id changes nothing and succeeds. */
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { success } from '../../shared/success.ts'
import {
  contentOf,
  contentTextOf,
  flagOf,
  type Input,
  integerOf,
  lengths,
  optionalFlag,
  optionalText,
  optionalUrl,
  textOf,
  undeclaredArgs,
  urlOf,
} from './args.ts'
import { warnOfDoubts } from './doubts.ts'
import {
  addRemediations,
  authorOf,
  findRemediation,
  invalidatePages,
  listPageRemediations,
  removeOverrides,
  removeRemediations,
  updateRemediations,
} from './model.ts'
import { readItems, storedItem, storedItems } from './stored-items.ts'
import { globalRowView, itemsSchema, message, messageSchema, newItemSchema, newRowView, rowView } from './view.ts'

const permission = can('manage_options')
const itemsPath = '/remediation/items'
const itemPath = '/remediation/item'

export const itemEndpoints = [
  endpoint({
    path: itemsPath,
    methods: ['GET'],
    args: undeclaredArgs('url'),
    summary: 'List the remediations of a page, including global ones',
    permission,
    responses: { 200: itemsSchema },
    stored: storedItems,
    handler: async ({ args, storage }) => {
      const { page, overrides, global } = await readItems(storage, optionalUrl(args))
      return success({
        message: 'These are the remediations.',
        data: { page: page.map(rowView), global: global.map((row) => globalRowView(row, overrides.get(row.id))) },
      })
    },
  }),
  endpoint({
    path: itemsPath,
    methods: ['PATCH'],
    args: undeclaredArgs('url', 'active', 'group'),
    summary: 'Switch all remediations of a page on or off, or those of a group',
    permission,
    responses: { 200: messageSchema },
    stored: storedItems,
    handler: async (context) => {
      const url = urlOf(context.args)
      const active = flagOf(context.args, 'active')
      const rows = await listPageRemediations(context.storage, url, optionalText(context.args, 'group', lengths.group))
      await updateRemediations(context, rows, { active })
      await invalidatePages(context, [url])
      return message('The remediations of the page are changed.')
    },
  }),
  endpoint({
    path: itemsPath,
    methods: ['DELETE'],
    args: undeclaredArgs('url', 'group'),
    summary: 'Remove all remediations of a page, or those of a group',
    permission,
    responses: { 200: messageSchema },
    stored: storedItems,
    handler: async (context) => {
      const url = urlOf(context.args)
      const rows = await listPageRemediations(context.storage, url, optionalText(context.args, 'group', lengths.group))
      await removeRemediations(context.storage, rows)
      await invalidatePages(context, [url])
      return message('The remediations of the page are removed.')
    },
  }),
  endpoint({
    path: itemPath,
    methods: ['POST'],
    args: undeclaredArgs('url', 'remediation', 'rule', 'group', 'global', 'apiId'),
    summary: 'Add a remediation',
    permission,
    responses: { 200: newItemSchema },
    stored: storedItems,
    handler: addItem,
  }),
  endpoint({
    path: itemPath,
    methods: ['PUT'],
    args: undeclaredArgs('id', 'url', 'content', 'global'),
    summary: 'Change a remediation',
    permission,
    responses: { 200: messageSchema },
    stored: storedItem,
    handler: changeItem,
  }),
  endpoint({
    path: itemPath,
    methods: ['PATCH'],
    args: undeclaredArgs('id', 'url', 'active'),
    summary: 'Switch a remediation of a page on or off',
    permission,
    responses: { 200: messageSchema },
    stored: storedItem,
    handler: async (context) => {
      const { args, storage } = context
      const url = optionalUrl(args)
      const active = flagOf(args, 'active')
      const row = await findRemediation(storage, integerOf(args, 'id'), { isGlobal: false })
      if (row) {
        await updateRemediations(context, [row], { active })
        await invalidatePages(context, urlsOf(row['url'], url))
      }
      return message('The remediation is changed.')
    },
  }),
  endpoint({
    path: itemPath,
    methods: ['DELETE'],
    args: undeclaredArgs('id', 'url'),
    summary: 'Remove a remediation of a page',
    permission,
    responses: { 200: messageSchema },
    stored: storedItem,
    handler: async (context) => {
      const { args, storage } = context
      const url = optionalUrl(args)
      const row = await findRemediation(storage, integerOf(args, 'id'), { isGlobal: false })
      if (row) {
        await removeRemediations(storage, [row])
        await invalidatePages(context, urlsOf(row['url'], url))
      }
      return message('The remediation is removed.')
    },
  }),
] as const

async function addItem(context: Context<Input>) {
  const { args } = context
  const url = urlOf(args, 'internal_server_error')
  const global = optionalFlag(args, 'global') ?? false
  const rule = textOf(args, 'rule', { maxLength: lengths.rule })
  const group = textOf(args, 'group', { maxLength: lengths.group })
  const stored = contentOf(args)
  warnOfDoubts(context, 'remediation', stored.content)
  const added = await addRemediations(context, [{ url, ...stored, rule, group, global }])
  await invalidatePages(context, global ? 'all' : [url])
  return success({ remediation: added.map(newRowView)[0], message: 'The remediation is added.' })
}

async function changeItem(context: Context<Input>) {
  const { args, storage } = context
  const id = integerOf(args, 'id')
  const url = optionalUrl(args)
  const content = contentTextOf(args)
  const global = optionalFlag(args, 'global')
  warnOfDoubts(context, 'content', content.content)
  const row = await findRemediation(storage, id)
  if (row) {
    const wasGlobal = row['global'] === true
    const isGlobal = global ?? wasGlobal
    await updateRemediations(context, [row], { ...content, author: authorOf(context), global: isGlobal })
    if (wasGlobal && !isGlobal) await removeOverrides(storage, [row])
    await invalidatePages(context, wasGlobal || isGlobal ? 'all' : urlsOf(row['url'], url))
  }
  return message('The remediation is changed.')
}

/** Lists the page of the row, and the page that the client names. */
const urlsOf = (own: unknown, named: string | undefined): readonly string[] => [
  ...new Set([String(own), ...(named === undefined ? [] : [named])]),
]
