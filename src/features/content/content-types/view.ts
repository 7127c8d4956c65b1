/** The views of types and taxonomies. Members that only editors need are in the edit context only. */

import { bool, list, nullable, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { editOnly, fields, links, mapOf, notEmbedded, sometimes } from '../../../core/declare/response-schema.ts'
import { publicTypesOf, typesWithTaxonomy } from '../../shared/declared-types.ts'
import {
  type ContentTaxonomy,
  capabilitiesOf,
  hasRoute,
  type PublicType,
  type PublishedType,
  termCapabilitiesOf,
  type ViewContext,
} from './model.ts'

type RenderContext = Pick<Context, 'settings' | 'app'>

const texts = (description: string) => editOnly(mapOf(str(), { description }))
const flags = (description: string) => editOnly(mapOf(bool(), { description }))

const nameMembers = {
  name: str({ description: 'What people call it, in the plural.' }),
  slug: str({ description: 'What the service calls it.' }),
  rest_base: str({ description: 'The last part of the route of its records.' }),
  rest_namespace: str(),
}

const linksSchema = fields({
  collection: links(),
  'cms:items': sometimes(links()),
  curies: links({ name: str(), templated: bool() }),
})

export const typeSchema = fields(
  {
    capabilities: texts('The capability that each deed asks for.'),
    description: notEmbedded(str()),
    hierarchical: notEmbedded(bool({ description: 'Whether records have parents of their own type.' })),
    has_archive: notEmbedded(bool()),
    visibility: flags('Where an administration shows it.'),
    viewable: editOnly(bool({ description: 'Whether visitors can see its records.' })),
    labels: texts('Words for an administration.'),
    ...nameMembers,
    icon: nullable(str()),
    supports: flags('What an editor may offer.'),
    taxonomies: notEmbedded(list(str())),
    template: list(str(), { description: 'The blocks that a new record starts with.' }),
    template_lock: bool(),
    _links: linksSchema,
  },
  { title: 'Type of content', record: 'type' },
)

export const taxonomySchema = fields(
  {
    capabilities: texts('The capability that each deed asks for.'),
    description: notEmbedded(str()),
    hierarchical: notEmbedded(bool({ description: 'Whether terms have parents.' })),
    labels: texts('Words for an administration.'),
    ...nameMembers,
    show_cloud: editOnly(bool()),
    types: notEmbedded(list(str(), { description: 'The types whose records may have its terms.' })),
    visibility: flags('Where it is shown.'),
    _links: linksSchema,
  },
  { title: 'Taxonomy', record: 'taxonomy' },
)

export function typeView(context: RenderContext, type: PublicType, viewContext: ViewContext) {
  const { name, label, pluralLabel, published } = type
  const { isViewable = true, inMenus = isViewable } = published
  const isEdit = viewContext === 'edit'
  return {
    ...(isEdit ? { capabilities: { ...capabilitiesOf(type), ...published.shownCapabilities } } : {}),
    ...(viewContext === 'embed'
      ? {}
      : {
          description: '',
          hierarchical: published.isHierarchical,
          has_archive: false,
          taxonomies: published.taxonomies.map((taxonomy) => context.app.names.toPublic(taxonomy.name)),
        }),
    ...(isEdit
      ? {
          visibility: { show_ui: true, show_in_nav_menus: inMenus },
          viewable: isViewable,
          labels: { ...typeLabels(label, pluralLabel), ...published.labels },
          // Interface: who may pin a post is no feature of the editor.
          supports: Object.fromEntries(
            published.supports.filter((support) => support !== 'sticky').map((support) => [support, true]),
          ),
        }
      : {}),
    ...namesOf(context, { name, pluralLabel, restBase: published.restBase }),
    icon: null,
    template: [],
    template_lock: false,
    _links: linksOf(context, 'types', published),
  }
}

export function taxonomyView(context: RenderContext, taxonomy: ContentTaxonomy, viewContext: ViewContext) {
  const { name, label, pluralLabel, isHierarchical, isViewable = true } = taxonomy
  return {
    ...(viewContext === 'edit'
      ? {
          capabilities: termCapabilitiesOf(taxonomy),
          labels: { ...taxonomyLabels(label, pluralLabel), ...taxonomy.labels },
          show_cloud: isViewable,
          visibility: {
            public: isViewable,
            publicly_queryable: isViewable,
            show_admin_column: isViewable,
            show_in_nav_menus: isViewable,
            show_in_quick_edit: true,
            show_ui: true,
          },
        }
      : {}),
    ...(viewContext === 'embed'
      ? {}
      : {
          description: '',
          hierarchical: isHierarchical,
          types: typesWithTaxonomy(publicTypesOf(context.app), name).map((type) => context.app.names.toPublic(type)),
        }),
    ...namesOf(context, taxonomy),
    _links: linksOf(context, 'taxonomies', taxonomy),
  }
}

type Nameable = Pick<ContentTaxonomy, 'name' | 'pluralLabel' | 'restBase'>

const namesOf = ({ app }: RenderContext, { name, pluralLabel, restBase }: Nameable) => ({
  name: pluralLabel,
  slug: app.names.toPublic(name),
  rest_base: app.names.toPublic(restBase),
  rest_namespace: app.names.toPublic('cms/v2'),
})

/** Links to the records only if the API has a route for them. */
function linksOf({ settings, app }: RenderContext, list: string, { restBase }: Pick<PublishedType, 'restBase'>) {
  const { names } = app
  const root = `/${names.toPublic('cms/v2')}`
  const items = `${root}/${names.toPublic(restBase)}`
  return {
    collection: [{ href: `${settings.apiRoot}${root}/${list}` }],
    ...(hasRoute(app, `/cms/v2/${restBase}`)
      ? { [names.toPublic('cms:items')]: [{ href: settings.apiRoot + items }] }
      : {}),
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

// ---------------------------------------------------------------- the edit context

function typeLabels(label: string, pluralLabel: string) {
  const [one, many] = [label.toLowerCase(), pluralLabel.toLowerCase()]
  return {
    name: pluralLabel,
    singular_name: label,
    add_new: `Add ${one}`,
    add_new_item: `Add ${one}`,
    edit_item: `Edit ${one}`,
    new_item: `New ${one}`,
    view_item: `View ${one}`,
    view_items: `View ${many}`,
    search_items: `Search ${many}`,
    not_found: `No ${many} found.`,
    not_found_in_trash: `No ${many} found in Trash.`,
    parent_item_colon: `Parent ${one}:`,
    all_items: `All ${many}`,
    archives: `${label} archives`,
    attributes: `${label} attributes`,
    insert_into_item: `Insert into ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured image',
    set_featured_image: 'Set featured image',
    remove_featured_image: 'Remove featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter ${many} list`,
    items_list_navigation: `${pluralLabel} list navigation`,
    items_list: `${pluralLabel} list`,
    item_published: `${label} published.`,
    item_published_privately: `${label} published privately.`,
    item_reverted_to_draft: `${label} reverted to draft.`,
    item_trashed: `${label} trashed.`,
    item_scheduled: `${label} scheduled.`,
    item_updated: `${label} updated.`,
    item_link: `${label} link`,
    item_link_description: `A link to a ${one}.`,
    menu_name: pluralLabel,
    name_admin_bar: label,
  }
}

function taxonomyLabels(label: string, pluralLabel: string) {
  const [one, many] = [label.toLowerCase(), pluralLabel.toLowerCase()]
  return {
    name: pluralLabel,
    singular_name: label,
    search_items: `Search ${many}`,
    popular_items: `Popular ${many}`,
    all_items: `All ${many}`,
    parent_item: `Parent ${one}`,
    parent_item_colon: `Parent ${one}:`,
    edit_item: `Edit ${one}`,
    view_item: `View ${one}`,
    update_item: `Update ${one}`,
    add_new_item: `Add ${one}`,
    new_item_name: `New ${one} name`,
    separate_items_with_commas: `Separate ${many} with commas`,
    add_or_remove_items: `Add or remove ${many}`,
    choose_from_most_used: `Choose from the most used ${many}`,
    not_found: `No ${many} found.`,
    no_terms: `No ${many}`,
    items_list_navigation: `${pluralLabel} list navigation`,
    items_list: `${pluralLabel} list`,
    back_to_items: `Go to ${many}`,
    item_link: `${label} link`,
    item_link_description: `A link to a ${one}.`,
    menu_name: pluralLabel,
    name_admin_bar: label,
  }
}
