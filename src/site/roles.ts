/** The default roles and their capabilities. */
import type { Json } from '../contract/storage.ts'

/** Role name to its capabilities. */
export type Roles = { readonly [role: string]: { readonly [capability: string]: boolean } }

const words = (text: string) => text.trim().split(/\s+/)

const subscriber = words('read level_0')

const contributor = [...subscriber, ...words('edit_posts delete_posts level_1')]

const author = [
  ...contributor,
  ...words('publish_posts edit_published_posts delete_published_posts upload_files level_2'),
]

const editor = [
  ...author,
  ...words(`edit_others_posts delete_others_posts edit_private_posts delete_private_posts read_private_posts
    edit_pages edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages
    delete_published_pages delete_private_pages edit_private_pages read_private_pages
    manage_categories manage_links moderate_comments unfiltered_html level_7`),
]

const administrator = [
  ...editor,
  ...words(`manage_options edit_theme_options switch_themes edit_themes install_themes update_themes delete_themes
    activate_plugins edit_plugins install_plugins update_plugins delete_plugins
    list_users edit_users create_users delete_users promote_users remove_users
    edit_files import export edit_dashboard update_core customize unfiltered_upload level_10
    builder_global_classes_update_class
    create_notes_builder-pro edit_notes_builder-pro delete_notes_builder-pro read_notes_builder-pro
    edit_others_notes_builder-pro delete_others_notes_builder-pro read_others_private_notes_builder-pro`),
]

const granting = (capabilities: readonly string[]) => Object.fromEntries(capabilities.map((name) => [name, true]))

/** The five standard roles. Stored in the option `roles`, where a host can change them. */
export const defaultRoles: Roles & Json = {
  administrator: granting(administrator),
  editor: granting(editor),
  author: granting(author),
  contributor: granting(contributor),
  subscriber: granting(subscriber),
}
