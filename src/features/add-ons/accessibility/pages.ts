/** Registered pages, which scans have checked, and the dismissed issues of their headings. */

import type { Collection, Storage, StoredRecord } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { can } from '../../../core/declare/permissions.ts'
import { noBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { addressesOf } from '../../../site/permalink.ts'
import { findContentType } from '../../content/content-types/model.ts'
import { success } from '../../shared/success.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import {
  choiceOf,
  type Input,
  integerOf,
  lengths,
  optionalText,
  optionalUrl,
  textOf,
  undeclaredArgs,
  urlOf,
} from './args.ts'
import { dropCachedHtml } from './html-cache.ts'
import { addRemediations, invalidatePages, listPageRemediations, nowText, removeRemediations } from './model.ts'
import { storedItems } from './stored-items.ts'
import { countIssues } from './summary.ts'
import { message, messageSchema, pageView, registeredSchema } from './view.ts'

export const pages: Collection = {
  name: 'a11y_pages',
  fields: {
    url: 'text',
    title: 'text',
    post: 'integer',
    term: 'integer',
    object_type: 'text',
    object_type_name: 'text',
    violations: 'integer',
    resolved: 'integer',
    status: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
  indexed: ['post', 'term'],
  unique: [['url']],
}

/** Headings whose issue was dismissed. `digest` is that of the XPath, which can be too long for an index. */
export const dismissals: Collection = {
  name: 'a11y_dismissals',
  fields: { page: 'integer', xpath: 'text', digest: 'text' },
  unique: [['page', 'digest']],
}

const termType = 'taxonomy'

export async function findPage({ records }: Storage, url: string): Promise<StoredRecord | undefined> {
  return (await records.query(pages, { where: { field: 'url', is: url }, limit: 1 })).rows[0]
}

const permission = can('manage_options')

export const pageEndpoints = [
  endpoint({
    path: '/remediation/register',
    methods: ['POST'],
    args: undeclaredArgs('url', 'title', 'object_id', 'object_type', 'object_type_name', 'summary'),
    summary: 'Register a scanned page',
    permission,
    responses: { 200: registeredSchema, 204: noBody() },
    handler: register,
  }),
  endpoint({
    path: '/remediation/heading-level',
    methods: ['POST'],
    args: undeclaredArgs('url', 'xpath', 'level', 'rule'),
    summary: 'Change the level of a heading on a page',
    permission,
    responses: { 200: messageSchema },
    stored: storedItems,
    handler: setHeadingLevel,
  }),
  endpoint({
    path: '/remediation/dismiss-heading-issue',
    methods: ['POST'],
    args: undeclaredArgs('pageId', 'xpath'),
    summary: 'Dismiss the issue of a heading',
    permission,
    responses: { 200: messageSchema },
    handler: async ({ args, storage }) => {
      const page = integerOf(args, 'pageId')
      const xpath = textOf(args, 'xpath', { maxLength: lengths.xpath })
      const { rows } = await storage.records.query(pages, { where: { field: 'id', is: page }, limit: 1 })
      // A conflict means that it was dismissed before.
      if (rows.length > 0) await tryInsert(storage, dismissals, [{ page, xpath, digest: sha256Of(xpath) }])
      return message('The heading is dismissed.')
    },
  }),
  endpoint({
    path: '/remediation/trigger-save',
    methods: ['POST'],
    args: undeclaredArgs('object_id', 'object_type'),
    summary: 'Emit the event of a saved post or term again',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => {
      const id = integerOf(context.args, 'object_id')
      const type = textOf(context.args, 'object_type', { maxLength: lengths.type })
      const urls = type === termType ? await announceTermUpdate(context, id) : await announcePostUpdate(context, id)
      if (urls.length > 0) await invalidatePages(context, urls)
      return message('It counts as saved.')
    },
  }),
  endpoint({
    path: '/remediation/clear-cache',
    methods: ['DELETE'],
    args: undeclaredArgs('url'),
    summary: 'Clear the cached HTML of one page or all pages',
    permission,
    responses: { 200: messageSchema },
    handler: async (context) => {
      const url = optionalUrl(context.args)
      await invalidatePages(context, url === undefined ? 'all' : [url])
      return message('The cache is cleared.')
    },
  }),
] as const

async function register(context: Context<Input>): Promise<unknown> {
  const { args, storage } = context
  const url = urlOf(args, 'internal_server_error')
  const objectType = optionalText(args, 'object_type', lengths.type) ?? ''
  const isSent = args['object_id'] !== undefined && args['object_id'] !== null && args['object_id'] !== ''
  const object = isSent ? integerOf(args, 'object_id') : null
  const now = nowText(context)
  const row = {
    url,
    title: optionalText(args, 'title', lengths.title) ?? '',
    ...(objectType === termType ? { post: null, term: object } : { post: object, term: null }),
    object_type: objectType,
    object_type_name: optionalText(args, 'object_type_name', lengths.title) ?? '',
    violations: countIssues(args['summary']),
    resolved: 0,
    status: 'active',
    created_at: now,
    updated_at: now,
  }
  const isNew = !(await findPage(storage, url)) && !(await tryInsert(storage, pages, [row]))
  if (!isNew) return result(null, { status: 204 })
  const page = await findPage(storage, url)
  if (!page) return result(null, { status: 204 })
  await dropCachedHtml(storage, [url])
  context.emit('accessibility.page-registered', { id: page.id, url, by: context.user.id })
  // An object; the interface has the JSON text of the record inside the JSON response.
  return success({ message: 'The page is registered.', data: pageView(page) })
}

// ---------------------------------------------------------------- headings

const headingGroup = 'headingStructure'
const category = 'A'

const levelAttributes = (level: string): readonly (readonly [name: string, value: string])[] =>
  level === 'p'
    ? [['role', 'presentation']]
    : [
        ['role', 'heading'],
        ['aria-level', level.slice(1)],
      ]

async function setHeadingLevel(context: Context<Input>) {
  const { args, storage } = context
  const url = urlOf(args)
  const xpath = textOf(args, 'xpath', { maxLength: lengths.xpath })
  const level = choiceOf(args, 'level', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p'])
  const rule = optionalText(args, 'rule', lengths.rule) ?? ''
  const rows = await listPageRemediations(storage, url, headingGroup)
  const replaced = rows.filter((row) => isLevelRemediation(row, xpath))
  await removeRemediations(storage, replaced)
  const attributes = { type: 'ATTRIBUTE', category, xpath, action: 'add' }
  const added = levelAttributes(level).map(([name, value]) => ({
    url,
    category,
    rule,
    group: headingGroup,
    global: false,
    content: JSON.stringify({ ...attributes, attribute_name: name, attribute_value: value }),
  }))
  await addRemediations(context, added)
  await invalidatePages(context, [url])
  return message('The level of the heading is changed.')
}

function isLevelRemediation(row: StoredRecord, path: string): boolean {
  // The cast: every stored content is the JSON text of an object.
  const { xpath, attribute_name: name } = JSON.parse(String(row['content'])) as { readonly [member: string]: unknown }
  return xpath === path && (name === 'role' || name === 'aria-level')
}

// ---------------------------------------------------------------- repeated update events

/** Emits the update event of a published post. Returns the addresses that show it; none for other posts. */
async function announcePostUpdate(context: Context, id: number): Promise<readonly string[]> {
  const { storage, emit } = context
  const [post] = await storage.posts.read([id])
  if (post?.status !== 'publish' || !findContentType(post.type)) return []
  emit('post.updated', { post, before: post, changedMeta: [] })
  return [...(await addressesOf([post], context)), ...(await readPageUrls(storage, 'post', id))]
}

async function announceTermUpdate({ storage, emit }: Context, id: number): Promise<readonly string[]> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ ids: [id], order, offset: 0, limit: 1 })
  if (rows.length === 0) return []
  emit('term.updated', { id })
  return readPageUrls(storage, 'term', id)
}

async function readPageUrls({ records }: Storage, field: 'post' | 'term', id: number): Promise<string[]> {
  const { rows } = await records.query(pages, { where: { field, is: id } })
  return rows.map(({ url }) => String(url))
}
