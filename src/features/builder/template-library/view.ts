/** Response and response schemas of templates. */

import { bool, int, list, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { emptyList, exactly, fields } from '../../../core/declare/response-schema.ts'
import { documentLink } from '../../../site/document-links.ts'
import type { Template } from './model.ts'
import { templateType } from './model.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats a date in site time as `October 9, 2025`. */
const humanDate = (local: string) => dayFormat.format(new Date(`${local}Z`))

export function templateView({ settings, app }: Pick<Context, 'settings' | 'app'>, template: Template) {
  const { post, type, hasPageSettings, author } = template
  const page = `${settings.home}/?${app.names.toPublic(templateType)}=${post.slug || post.id}`
  return {
    template_id: post.id,
    source: 'local',
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
    export_link: documentLink(settings, 'export', post.id, `${page}&export=1`),
    url: documentLink(settings, 'preview', post.id, page),
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

const categories = fields({ categories: list(str()) })

export const librarySchema = fields({
  templates: list(templateSchema, { description: 'The newest first.' }),
  config: fields({ block: categories, popup: categories }, { description: 'The categories of remote catalogues.' }),
})
