/** Templates as they are sent. */
import type { Call } from '../../core/declare.ts'
import type { Template } from './model.ts'
import { templateType } from './model.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `October 9, 2025`, of a date in site time. */
const humanDate = (local: string) => dayFormat.format(new Date(`${local}Z`))

export function templateView({ settings, site }: Pick<Call, 'settings' | 'site'>, template: Template) {
  const { post, type, hasPageSettings, author } = template
  const url = `${settings.home}/?${site.names.word(templateType)}=${post.slug || post.id}`
  return {
    template_id: post.id,
    source: 'local',
    type: site.names.word(type),
    title: post.title,
    thumbnail: false,
    date: Date.parse(`${post.dateGmt ?? settings.time.toGmt(post.date)}Z`) / 1000,
    human_date: humanDate(post.date),
    human_modified_date: humanDate(post.modified),
    author: author?.displayName ?? '',
    status: post.status,
    hasPageSettings,
    tags: [],
    export_link: `${url}&export=1`,
    url,
  }
}
