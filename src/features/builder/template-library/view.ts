/** Response and response schemas of templates. */

import { bool, int, list, object, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { either, emptyList, exactly, fields, sometimes } from '../../../core/declare/response-schema.ts'
import type { CatalogueTemplate } from '../../../services/templates.ts'
import { documentLink } from '../../../site/document-links.ts'
import type { Template } from './model.ts'
import { templateType } from './model.ts'

let dayFormat: Intl.DateTimeFormat | undefined

/** Formats a date in site time as `October 9, 2025`. */
function humanDate(local: string): string {
  // Made on first use: it takes 9 ms, which every process would wait for at its start.
  dayFormat ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return dayFormat.format(new Date(`${local}Z`))
}

type ViewContext = Pick<Context, 'settings' | 'app'>

export function templateView({ settings, app }: ViewContext, template: Template) {
  const { post, type, hasPageSettings, author } = template
  const page = `${settings.home}/?${app.names.toPublic(templateType)}=${post.slug || post.id}`
  return {
    template_id: post.id,
    source: 'local' as const,
    type: app.names.toPublic(type),
    title: post.title,
    thumbnail: false,
    date: Date.parse(`${post.dateGmt ?? settings.time.toGmt(post.date)}Z`) / 1000,
    human_date: humanDate(post.date),
    human_modified_date: humanDate(post.modified),
    author: author?.displayName ?? '',
    status: post.status,
    hasPageSettings,
    tags: [],
    export_link: documentLink(
      settings,
      'export',
      post.id,
      `${libraryRoot({ settings, app })}/templates/${post.id}/export`,
    ),
    url: documentLink(settings, 'preview', post.id, page),
  }
}

const libraryRoot = ({ settings, app }: ViewContext) =>
  `${settings.apiRoot}/${app.names.toPublic('builder/v1')}/template-library`

/** A template that is not on the site. */
export function catalogueView(context: ViewContext, template: CatalogueTemplate) {
  const { id, title, type, thumbnail, url, author, tags, date } = template
  const time = Date.parse(date ?? '')
  const day = Number.isNaN(time) ? '' : humanDate(new Date(time).toISOString().slice(0, 19))
  return {
    template_id: id,
    source: 'remote' as const,
    type: context.app.names.toPublic(type),
    title,
    thumbnail: thumbnail ?? false,
    date: Number.isNaN(time) ? 0 : Math.floor(time / 1000),
    human_date: day,
    human_modified_date: day,
    author: author ?? '',
    status: 'publish' as const,
    hasPageSettings: false,
    tags: tags ?? [],
    export_link: `${libraryRoot(context)}/catalogue/${id}`,
    url: url ?? '',
  }
}

// ---------------------------------------------------------------- schemas

export const templateMembers = {
  template_id: int(),
  source: exactly('local'),
  type: str({ description: 'What kind of document it is.' }),
  title: str(),
  thumbnail: exactly(false),
  date: int({ description: 'When it was published, in Unix time.' }),
  human_date: str({ description: 'The day of publication, in words.' }),
  human_modified_date: str({ description: 'The day of the last change, in words.' }),
  author: str({ description: 'The name of the author.' }),
  status: oneOf(['publish', 'draft', 'pending', 'private', 'future']),
  hasPageSettings: bool(),
  tags: emptyList(),
  export_link: str(),
  url: str(),
}

export const templateSchema = fields(templateMembers, { title: 'Template' })

const catalogueSchema = fields(
  {
    ...templateMembers,
    template_id: str({ description: 'Its ID in the catalogue.' }),
    source: exactly('remote'),
    thumbnail: either(str(), exactly(false)),
    date: int({ description: 'When it was published, in Unix time; 0: unknown.' }),
    status: exactly('publish'),
    hasPageSettings: exactly(false),
    tags: list(str()),
  },
  { title: 'Template of the catalogue' },
)

const anyMembers = { additionalProperties: true } as const

export const fileSchema = fields(
  {
    version: sometimes(str({ description: 'Of the format.' })),
    title: str(),
    type: str({ description: 'What kind of document it is.' }),
    content: list(object({}, anyMembers), { description: 'The elements.' }),
    page_settings: sometimes(object({}, anyMembers)),
    global_classes: sometimes(object({}, { ...anyMembers, description: 'The global classes that the elements name.' })),
    global_variables: sometimes(object({}, { ...anyMembers, description: 'The variables that they name.' })),
  },
  { title: 'File of a template' },
)

const categories = fields({ categories: list(str()) })

export const librarySchema = fields({
  templates: list(either(templateSchema, catalogueSchema), {
    description: 'Those of the site: the newest first. Those of the catalogue: in its order.',
  }),
  config: fields({ block: categories, popup: categories }, { description: 'The categories of the catalogue.' }),
})
