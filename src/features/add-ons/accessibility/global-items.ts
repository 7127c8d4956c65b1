/** The remediations of all pages: everywhere, and on single pages that differ. */
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import type { StoredRecord } from '../../../storage/contract.ts'
import { flagOf, integerOf, lengths, optionalText, type Sent, taking, textOf, urlOf } from './args.ts'
import {
  changed,
  findOne,
  globalOnes,
  removeRemediations,
  switchGlobalOnes,
  switchOnPage,
  updateRemediations,
} from './model.ts'
import { message, messageForm } from './view.ts'

const permission = can('manage_options')
const one = '/remediation/global-item'
const all = '/remediation/global-items'
const groupOf = '/remediation/global-items-group'

type Asked = Context<Sent>

async function globalOne({ args, storage }: Asked): Promise<readonly StoredRecord[]> {
  const row = await findOne(storage, integerOf(args, 'id'), { isGlobal: true })
  return row ? [row] : []
}

/** An empty list is an unknown id: nothing happens. */
async function onOnePage(context: Asked, rows: readonly StoredRecord[]) {
  const url = urlOf(context.args)
  const active = flagOf(context.args, 'active')
  if (rows.length > 0) {
    await switchOnPage(context, url, rows, active)
    await changed(context, [url])
  }
  return message('The remediations of all pages are changed on this one.')
}

async function everywhere(context: Asked, rows: readonly StoredRecord[]) {
  const active = flagOf(context.args, 'active')
  if (rows.length > 0) {
    await switchGlobalOnes(context, rows, active)
    await changed(context, 'all')
  }
  return message('The remediations of all pages are changed.')
}

async function removed(context: Asked, rows: readonly StoredRecord[]) {
  if (rows.length > 0) {
    await removeRemediations(context.storage, rows)
    await changed(context, 'all')
  }
  return message('The remediations of all pages are removed.')
}

const sentGroup = ({ args }: Asked) => textOf(args, 'group', { maxLength: lengths.group })

export const globalEndpoints = [
  endpoint({
    path: one,
    methods: ['POST'],
    args: taking('id'),
    summary: 'Make a remediation one of all pages',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => {
      const row = await findOne(context.storage, integerOf(context.args, 'id'))
      if (row) {
        await updateRemediations(context, [row], { global: true })
        await changed(context, 'all')
      }
      return message('The remediation is one of all pages.')
    },
  }),
  endpoint({
    path: one,
    methods: ['PUT'],
    args: taking('id', 'url', 'active'),
    summary: 'Switch a remediation of all pages on or off on one page',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => onOnePage(context, await globalOne(context)),
  }),
  endpoint({
    path: one,
    methods: ['PATCH'],
    args: taking('id', 'active'),
    summary: 'Switch a remediation on or off on all pages',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => everywhere(context, await globalOne(context)),
  }),
  endpoint({
    path: one,
    methods: ['DELETE'],
    args: taking('id'),
    summary: 'Remove a remediation of all pages',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => removed(context, await globalOne(context)),
  }),
  endpoint({
    path: all,
    methods: ['PUT'],
    args: taking('url', 'active'),
    summary: 'Switch the remediations of all pages on or off on one page',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => onOnePage(context, await globalOnes(context.storage)),
  }),
  endpoint({
    path: all,
    methods: ['PATCH'],
    args: taking('active'),
    summary: 'Switch the remediations of all pages on or off everywhere',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => everywhere(context, await globalOnes(context.storage)),
  }),
  endpoint({
    path: all,
    methods: ['DELETE'],
    args: taking('group'),
    summary: 'Remove the remediations of all pages, or those of a group',
    permission,
    responses: { 200: messageForm },
    handler: async (context) =>
      removed(context, await globalOnes(context.storage, optionalText(context.args, 'group', lengths.group))),
  }),
  endpoint({
    path: groupOf,
    methods: ['PUT'],
    args: taking('url', 'group', 'active'),
    summary: 'Switch a group of the remediations of all pages on or off on one page',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => onOnePage(context, await globalOnes(context.storage, sentGroup(context))),
  }),
  endpoint({
    path: groupOf,
    methods: ['PATCH'],
    args: taking('group', 'active'),
    summary: 'Switch a group of the remediations of all pages on or off everywhere',
    permission,
    responses: { 200: messageForm },
    handler: async (context) => everywhere(context, await globalOnes(context.storage, sentGroup(context))),
  }),
] as const
