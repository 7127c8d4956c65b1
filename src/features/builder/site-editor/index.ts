/** The site editor: manages the templates for headers, footers and pages of a site, and their display conditions. */

import { anything, bool, int, list, oneOf, str, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { either, exactly } from '../../../core/declare/response-schema.ts'
import { controllerIndex, controllerIndexSchema } from '../../../core/describe/site-index.ts'
import { storedState, valuesDigest } from '../../../core/pipeline/etag.ts'
import { refuseUnknownMembers, warnOfUnknownMembers } from '../../../core/request/unknown-members.ts'
import { mayEditPost } from '../../content/posts/model.ts'
import { editLocksOption } from '../../shared/access/edit-locks.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'
import { conditionPath, conditionsConfig } from '../../shared/templates/template-conditions.ts'
import { templateType } from '../template-library/model.ts'
import { createTemplates } from './management.ts'
import {
  conditionsOf,
  conflictsWith,
  findPart,
  parseId,
  partNotFound,
  partType,
  readConditioned,
  readParts,
  requireUnlocked,
  type SitePart,
  trashPart,
  updatePart,
  withPaths,
  writeConditions,
} from './model.ts'
import { importTemplates } from './template-import.ts'
import {
  conditionsConfigSchema,
  conditionsSchema,
  conditionView,
  conflictsSchema,
  conflictView,
  foreignTemplateSchema,
  foreignTemplateView,
  partSchema,
  partView,
  warningsView,
} from './view.ts'

const namespace = 'builder/v1'
const root = '/site-editor'

/** Interface: users who may edit the design of the site may edit all of its templates. */
const mayEditDesign = permission('edit_theme_options, and editing what others published', ({ user }) =>
  user.can('edit_theme_options') && mayEditPost(user, { author: 0, status: 'publish' }) ? undefined : forbidden(user),
)

const id = str({ description: 'The template.' })

const columns = {
  post_title: unlisted(str()),
  post_status: unlisted(oneOf(['publish', 'draft', 'pending', 'private'])),
  post_name: unlisted(str({ maxLength: 200 })),
  post_content: unlisted(str()),
  post_excerpt: unlisted(str()),
}

const conditionArgs = { id, conditions: unlisted(anything({ check: checkConditions })) }

/** `types`: the document types that an imported template can have. */
export const siteEditor = ({ types }: { readonly types: readonly string[] }) =>
  feature(
    'site-editor',
    namespace,
    [
      endpoint({
        path: root,
        methods: ['GET'],
        args: {},
        summary: 'Describe the routes of the site editor',
        permission: mayEditDesign,
        responses: { 200: controllerIndexSchema },
        handler: controllerIndex(namespace, root),
      }),
      endpoint({
        path: `${root}/templates`,
        methods: ['GET'],
        args: {},
        summary: 'List the templates of the parts of the site',
        permission: mayEditDesign,
        responses: { 200: list(partSchema) },
        stored: storedParts,
        handler: async (context) => (await readParts(context)).map((part) => partView(context, part)),
      }),
      endpoint({
        path: `${root}/templates`,
        methods: ['POST'],
        args: { fileName: unlisted(anything()), fileData: unlisted(anything()) },
        summary: 'Import templates from a file',
        permission: mayEditDesign,
        responses: { 200: list(either(partSchema, foreignTemplateSchema)) },
        handler: async (context) => {
          const { fileName, fileData } = context.args
          const templates = await importTemplates(context, { fileName, fileData }, types)
          const parts = await withPaths(context.storage, templates)
          return parts.map((part, index) => ({
            ...templateOrPart(context, part),
            ...warningsView(templates[index]?.warnings ?? []),
          }))
        },
      }),
      endpoint({
        path: `${root}/templates/${parameter('id', '[\\w]+')}`,
        methods: ['DELETE'],
        args: { id },
        summary: 'Move a template to the trash',
        permission: mayEditDesign,
        responses: { 200: bool({ description: 'False when there was nothing to move.' }) },
        stored: storedPart,
        handler: async (context) => {
          const part = await findPart(context, parseId(context.args.id))
          // Interface: the response is false for an unknown or already trashed template.
          if (!part || part.post.status === 'trash') return false
          await requireUnlocked(context, part.post.id)
          return trashPart(context, part)
        },
      }),
      endpoint({
        path: `${root}/templates/${parameter('id', '[\\w]+')}`,
        methods: EDITABLE,
        args: { id, ...columns },
        summary: 'Change a template',
        permission: mayEditDesign,
        responses: { 200: either(partSchema, foreignTemplateSchema) },
        stored: storedPart,
        merges: { values: async (context) => columnsOf(await requirePart(context)) },
        handler: async (context) => {
          const part = await requirePart(context)
          await requireUnlocked(context, part.post.id)
          await updatePart(context, part, context.args)
          warnOfUnknownMembers(context, { id, ...columns })
          return templateOrPart(context, await requirePart(context))
        },
      }),
      endpoint({
        path: `${root}/templates-conditions/${parameter('id', '[\\w]+')}`,
        methods: ['GET'],
        args: { id },
        summary: 'Read the display conditions of a template',
        permission: mayEditDesign,
        responses: { 200: conditionsSchema },
        stored: storedPart,
        handler: async (context) => conditionsOf(await requirePart(context)).map(conditionView),
      }),
      endpoint({
        path: `${root}/templates-conditions/${parameter('id', '[\\w]+')}`,
        methods: EDITABLE,
        args: conditionArgs,
        summary: 'Set the display conditions of a template',
        permission: mayEditDesign,
        responses: { 200: exactly(true) },
        stored: storedPart,
        merges: {
          values: async (context) => ({ conditions: partsOfPaths((await requirePart(context)).paths) }),
          sent: ({ args }) => ({ conditions: partsOfPaths(parsePaths(args.conditions) ?? []) }),
        },
        handler: async (context) => {
          const part = await requirePart(context)
          // Interface: without conditions they are cleared, which a misspelt name must not do; the answer has no place for a warning.
          if (context.args.conditions === undefined) {
            refuseUnknownMembers(context.sent ?? {}, conditionArgs, context.app.names)
          }
          await requireUnlocked(context, part.post.id)
          await writeConditions(context, part, parsePaths(context.args.conditions) ?? [])
          return true
        },
      }),
      endpoint({
        path: `${root}/templates-conditions-conflicts`,
        methods: ['GET'],
        args: { post_id: unlisted(int()), condition: unlisted(str({ maxLength: 500 })) },
        summary: 'List templates with conflicting display conditions',
        permission: mayEditDesign,
        responses: { 200: conflictsSchema },
        handler: async (context) => {
          const { post_id: post = 0, condition = '' } = context.args
          const parts = await readConditioned(context)
          return conflictsWith(parts, post, condition).map((part) => conflictView(context.settings, part))
        },
      }),
      endpoint({
        path: `${root}/conditions-config`,
        methods: ['GET'],
        args: {},
        summary: 'List the display locations for templates',
        permission: mayEditDesign,
        responses: { 200: conditionsConfigSchema },
        handler: () => conditionsConfig(),
      }),
    ],
    {
      isHistorical: true,
      persisted: { postTypes: [templateType], options: [{ name: editLocksOption }] },
      siteExtensions: { templates: createTemplates },
      services: drawsDocuments,
    },
  )

const templateOrPart = (context: Pick<Context, 'settings' | 'app'>, part: SitePart) =>
  partType(part.type) ? partView(context, part) : foreignTemplateView(context, part)

async function requirePart(
  context: Pick<Context, 'storage' | 'user'> & { readonly args: { readonly id: string | undefined } },
): Promise<SitePart> {
  const part = await findPart(context, parseId(context.args.id))
  if (!part) throw partNotFound()
  return part
}

/** The arguments that would write the template as it is. */
const columnsOf = ({ post }: SitePart) => ({
  post_title: post.title,
  post_status: post.status,
  post_name: post.slug,
  post_content: post.content,
  post_excerpt: post.excerpt,
})

const partsOfPaths = (paths: readonly string[]) => paths.map((path) => path.split('/'))

const stateOf = ({ post, paths }: SitePart) => [post.id, post.version, post.status, paths]

const storedParts = async (context: Pick<Context, 'storage' | 'user'>) =>
  storedState((await readParts(context)).map(stateOf))

/** Clients read templates in their list: a write takes the tag of it, too. */
async function storedPart(
  context: Pick<Context, 'storage' | 'user'> & { readonly args: { readonly id: string | undefined } },
) {
  const part = await findPart(context, parseId(context.args.id))
  return storedState(part && stateOf(part), {
    within: async () => [valuesDigest((await readParts(context)).map(stateOf))],
  })
}

// ---------------------------------------------------------------- condition arguments

const maxConditions = 200

function checkConditions(input: unknown): string | undefined {
  return parsePaths(input)
    ? undefined
    : 'Each condition is a list of up to four parts, beginning with include or exclude.'
}

/** Undefined for invalid conditions. Interface: an empty value clears them; the `_id` that an editor adds is ignored. */
function parsePaths(input: unknown): readonly string[] | undefined {
  if (input === undefined || input === null || input === '') return []
  if (typeof input !== 'object') return undefined
  const entries: unknown[] = Object.values(input)
  if (entries.length > maxConditions) return undefined
  const paths = entries.map(parsePath)
  return paths.every((path) => path !== undefined) ? paths : undefined
}

function parsePath(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { _id: _, ...members } = entry as { readonly [name: string]: unknown }
  const parts = Object.values(members).map((part) => (typeof part === 'number' ? String(part) : part))
  if (parts.length > 4 || !parts.every(isPart)) return undefined
  return parts[0] === 'include' || parts[0] === 'exclude' ? conditionPath(parts) : undefined
}

/** Choice: parts contain no slash, which separates the parts of a path. */
const isPart = (part: unknown): part is string => typeof part === 'string' && /^[\w.-]{0,100}$/.test(part)
