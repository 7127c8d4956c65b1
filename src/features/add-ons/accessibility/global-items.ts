/** Global remediations, and the overrides that switch them on single pages. */

import type { StoredRecord } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { flagOf, type Input, integerOf, lengths, optionalText, textOf, undeclaredArgs, urlOf } from './args.ts'
import {
  findRemediation,
  invalidatePages,
  listGlobalRemediations,
  removeRemediations,
  switchGlobalRemediations,
  switchOnPage,
  updateRemediations,
} from './model.ts'
import { storedItem, storedItems } from './stored-items.ts'
import { message, messageSchema } from './view.ts'

const permission = can('manage_options')
const itemPath = '/remediation/global-item'
const itemsPath = '/remediation/global-items'
const groupPath = '/remediation/global-items-group'

type InputContext = Context<Input>

async function findGlobalRemediation({ args, storage }: InputContext): Promise<readonly StoredRecord[]> {
  const row = await findRemediation(storage, integerOf(args, 'id'), { isGlobal: true })
  return row ? [row] : []
}

/** An unknown id gives an empty list, which changes nothing. */
async function switchOnOnePage(context: InputContext, rows: readonly StoredRecord[]) {
  const url = urlOf(context.args)
  const active = flagOf(context.args, 'active')
  if (rows.length > 0) {
    await switchOnPage(context, url, rows, active)
    await invalidatePages(context, [url])
  }
  return message('The remediations of all pages are changed on this one.')
}

async function switchEverywhere(context: InputContext, rows: readonly StoredRecord[]) {
  const active = flagOf(context.args, 'active')
  if (rows.length > 0) {
    await switchGlobalRemediations(context, rows, active)
    await invalidatePages(context, 'all')
  }
  return message('The remediations of all pages are changed.')
}

async function removeAll(context: InputContext, rows: readonly StoredRecord[]) {
  if (rows.length > 0) {
    await removeRemediations(context.storage, rows)
    await invalidatePages(context, 'all')
  }
  return message('The remediations of all pages are removed.')
}

const groupArg = ({ args }: InputContext) => textOf(args, 'group', { maxLength: lengths.group })

export const globalEndpoints = [
  endpoint({
    path: itemPath,
    methods: ['POST'],
    args: undeclaredArgs('id'),
    summary: 'Make a remediation global',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => {
      const row = await findRemediation(context.storage, integerOf(context.args, 'id'))
      if (row) {
        await updateRemediations(context, [row], { global: true })
        await invalidatePages(context, 'all')
      }
      return message('The remediation is one of all pages.')
    },
  }),
  endpoint({
    path: itemPath,
    methods: ['PUT'],
    args: undeclaredArgs('id', 'url', 'active'),
    summary: 'Switch a remediation of all pages on or off on one page',
    permission,
    responses: { 200: messageSchema },
    stored: storedItem,
    handler: async (context) => switchOnOnePage(context, await findGlobalRemediation(context)),
  }),
  endpoint({
    path: itemPath,
    methods: ['PATCH'],
    args: undeclaredArgs('id', 'active'),
    summary: 'Switch a remediation on or off on all pages',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => switchEverywhere(context, await findGlobalRemediation(context)),
  }),
  endpoint({
    path: itemPath,
    methods: ['DELETE'],
    args: undeclaredArgs('id'),
    summary: 'Remove a remediation of all pages',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => removeAll(context, await findGlobalRemediation(context)),
  }),
  endpoint({
    path: itemsPath,
    methods: ['PUT'],
    args: undeclaredArgs('url', 'active'),
    summary: 'Switch the remediations of all pages on or off on one page',
    permission,
    responses: { 200: messageSchema },
    stored: storedItems,
    handler: async (context) => switchOnOnePage(context, await listGlobalRemediations(context.storage)),
  }),
  endpoint({
    path: itemsPath,
    methods: ['PATCH'],
    args: undeclaredArgs('active'),
    summary: 'Switch the remediations of all pages on or off everywhere',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => switchEverywhere(context, await listGlobalRemediations(context.storage)),
  }),
  endpoint({
    path: itemsPath,
    methods: ['DELETE'],
    args: undeclaredArgs('group'),
    summary: 'Remove the remediations of all pages, or those of a group',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) =>
      removeAll(
        context,
        await listGlobalRemediations(context.storage, optionalText(context.args, 'group', lengths.group)),
      ),
  }),
  endpoint({
    path: groupPath,
    methods: ['PUT'],
    args: undeclaredArgs('url', 'group', 'active'),
    summary: 'Switch a group of the remediations of all pages on or off on one page',
    permission,
    responses: { 200: messageSchema },
    stored: storedItems,
    handler: async (context) =>
      switchOnOnePage(context, await listGlobalRemediations(context.storage, groupArg(context))),
  }),
  endpoint({
    path: groupPath,
    methods: ['PATCH'],
    args: undeclaredArgs('group', 'active'),
    summary: 'Switch a group of the remediations of all pages on or off everywhere',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) =>
      switchEverywhere(context, await listGlobalRemediations(context.storage, groupArg(context))),
  }),
] as const
