/** Names under which posts keep what their columns have no place for, and of the taxonomies that every site has. */

export const categories = 'category'
export const tags = 'post_tag'

/** A trashed post: the status it had, and the slug it will want back. */
export const trashStatusKey = '_trash_status'
export const desiredSlugKey = '_desired_slug'

/** A medium: its path below the folder of uploads, and `{ file, width, height, ... }`. */
export const attachedFileKey = '_attached_file'
export const attachmentMetadataKey = '_attachment_metadata'
/** What stands for the medium where it cannot be seen. */
export const alternativeTextKey = '_attachment_alt_text'

/** Revisions and autosaves are posts of the type `revision`, named after their post. */
export const revisionSlug = (post: number): string => `${post}-revision-v1`
export const autosaveSlug = (post: number): string => `${post}-autosave-v1`

/** The columns that rows which are no ordinary post leave as they are. */
export const blankColumns = {
  title: '',
  content: '',
  excerpt: '',
  parent: 0,
  password: '',
  commentStatus: 'closed',
  pingStatus: 'closed',
  format: 'standard',
  sticky: false,
  template: '',
  featuredMedia: 0,
  mimeType: '',
} as const
