/** Responses and response schemas of site parts and their conditions. */

import { bool, int, list, nullable, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { exactly, fields, mapOf, sometimes } from '../../../core/declare/response-schema.ts'
import type { Warning } from '../../../core/declare/result.ts'
import { documentLink, editAddress } from '../../../site/document-links.ts'
import type { Settings } from '../../../site/settings.ts'
import { type Condition, instanceOf } from '../../shared/templates/template-conditions.ts'
import { templateMembers, templateView } from '../template-library/view.ts'
import { conditionsOf, partType, type SitePart } from './model.ts'

type ViewContext = Pick<Context, 'settings' | 'app'>

export function partView(context: ViewContext, part: SitePart) {
  const { post } = part
  const { settings } = context
  const conditions = conditionsOf(part)
  const instances = instancesOf(conditions)
  const view = templateView(context, part)
  const type = reportedType(part, instances)
  const editURL = editAddress(settings, post.id)
  return {
    ...view,
    type: context.app.names.toPublic(type),
    thumbnail: '',
    instances: Object.keys(instances).length > 0 ? instances : { no_instances: 'No instances' },
    defaultCondition: partType(part.type)?.defaultCondition ?? null,
    id: post.id,
    exportLink: view.export_link,
    modifiedDate: view.human_modified_date,
    editURL,
    conditions: conditions.map(fullConditionView),
    isActive: post.status === 'publish' && conditions.some(isInclude),
    previewUrl: documentLink(
      settings,
      'preview',
      post.id,
      `${settings.home}/?p=${post.id}&render_mode=template-preview`,
    ),
    placeholderUrl: placeholderUrl(type),
    pageLayout: isStrip(type) ? 'strip' : 'grid',
    supportsSiteEditor: true,
    showInstances: type !== 'loop-item',
  }
}

/** Interface: an imported template that is no site part has only these members. */
export const foreignTemplateView = ({ settings, app }: ViewContext, part: SitePart) => ({
  id: part.post.id,
  url: templateView({ settings, app }, part).url,
  editURL: editAddress(settings, part.post.id),
  supportsSiteEditor: false,
})

export const conditionView = ({ type, name, subName, subId }: Condition) => ({
  type,
  name,
  sub_name: subName,
  sub_id: subId,
})

const fullConditionView = (conditionMembers: Condition) => ({
  ...conditionView(conditionMembers),
  sub: conditionMembers.subName,
  subId: conditionMembers.subId,
})

export const conflictView = (settings: Settings, { post }: SitePart) => ({
  template_id: post.id,
  template_title: post.title,
  edit_url: editAddress(settings, post.id),
})

const isInclude = ({ type }: Condition) => type === 'include'

const instancesOf = (conditions: readonly Condition[]): { readonly [name: string]: string } =>
  Object.fromEntries(conditions.filter(isInclude).map(instanceOf))

/** Interface: the type of an old `single` template is derived from its conditions. */
function reportedType({ type }: SitePart, instances: { readonly [name: string]: string }): string {
  if (type !== 'single') return type
  const names: { readonly [name: string]: string } = {
    front_page: 'single-page',
    child_of: 'single-page',
    page: 'single-page',
    not_found404: 'error-404',
    search: 'search-results',
  }
  const first = Object.keys(instances).find((name) => Object.hasOwn(names, name))
  return (first === undefined ? undefined : names[first]) ?? 'single-post'
}

const isStrip = (type: string) => type === 'header' || type === 'footer'

/** Choice: a data URL, so that no image of another site is requested. */
function placeholderUrl(type: string): string {
  const box = (y: number, height: number) => `<rect x="20" y="${y}" width="260" height="${height}" fill="#ccd3d9"/>`
  const content = type === 'footer' ? box(150, 30) : type === 'header' ? box(20, 30) : box(20, 70) + box(110, 70)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><rect width="300" height="200" fill="#f1f3f5"/>${content}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Nothing is added for a template that was taken whole. */
export const warningsView = (warnings: readonly Warning[]) => (warnings.length > 0 ? { _warnings: warnings } : {})

// ---------------------------------------------------------------- schemas

const condition = {
  type: oneOf(['include', 'exclude']),
  name: str({ description: 'The place that is meant.' }),
  sub_name: str({ description: 'What of the place; empty for all of it.' }),
  sub_id: str({ description: 'The one that is meant; empty for all.' }),
}

export const conditionsSchema = list(fields(condition, { title: 'Template condition' }))

const fullConditionSchema = fields({
  ...condition,
  sub: str({ description: 'As `sub_name`.' }),
  subId: str({ description: 'As `sub_id`.' }),
})

const _warnings = sometimes(
  list(fields({ code: str(), message: str(), param: sometimes(str()) }), { description: 'Of an imported template.' }),
)

export const partSchema = fields(
  {
    ...templateMembers,
    type: oneOf([
      'header',
      'footer',
      'single-post',
      'single-page',
      'archive',
      'search-results',
      'error-404',
      'loop-item',
    ]),
    thumbnail: exactly(''),
    status: oneOf(['publish', 'draft', 'pending', 'private', 'future', 'trash']),
    instances: mapOf(str(), { description: 'The places where it shows, in words.' }),
    defaultCondition: nullable(oneOf(['general', 'singular', 'archive'])),
    id: int(),
    exportLink: str(),
    modifiedDate: str({ description: 'The day of the last change, in words.' }),
    editURL: str(),
    conditions: list(fullConditionSchema),
    isActive: bool({ description: 'Whether it is published and shows somewhere.' }),
    previewUrl: str(),
    placeholderUrl: str({ description: 'A drawing of its kind, as a data address.' }),
    pageLayout: oneOf(['strip', 'grid']),
    supportsSiteEditor: exactly(true),
    showInstances: bool(),
    _warnings,
  },
  { title: 'Site template' },
)

export const foreignTemplateSchema = fields(
  { id: int(), url: str(), editURL: str(), supportsSiteEditor: exactly(false), _warnings },
  { title: 'Foreign template' },
)

export const conflictsSchema = list(
  fields({ template_id: int(), template_title: str(), edit_url: str() }, { title: 'Conflicting template' }),
)

const selectorSchema = fields({
  type: exactly('query'),
  autocomplete: fields({
    object: oneOf(['post', 'tax', 'author']),
    query: mapOf(str(), { description: 'Narrows down what can be chosen.' }),
  }),
})

export const conditionsConfigSchema = mapOf(
  fields({
    label: str(),
    sub_conditions: list(str(), { description: 'What of the place can be meant.' }),
    all_label: str({ description: 'The label of all of it.' }),
    controls: fields({ sub_id: sometimes(selectorSchema) }, { description: 'Not empty where one can be chosen.' }),
  }),
  { description: 'The places by name.' },
)
