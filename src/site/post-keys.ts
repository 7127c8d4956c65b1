/** Meta keys and slugs of posts for values that have no column, and the names of the built-in taxonomies and formats. */

export const categories = 'category'
export const tags = 'post_tag'

/** The formats of posts in the order of the interface; `standard` is that of posts without one. */
export const postFormats = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const

/** A trashed post keeps its old status, and the slug to restore. */
export const trashStatusKey = '_trash_status'
export const desiredSlugKey = '_desired_slug'

/** A medium has its path below the uploads folder, and `{ file, width, height, ... }`. */
export const attachedFileKey = '_attached_file'
/**
 * Meta keys of imported media: the address on the old site, the details of the export about the file, and a mark that the file
 * is stored here.
 */
export const importedUrlKey = '_import_url'
export const importedFileKey = '_import_file'
export const importedStoredKey = '_import_stored'
export const attachmentMetadataKey = '_attachment_metadata'
/** The alternative text of a medium. */
export const alternativeTextKey = '_attachment_alt_text'

/** Revisions and autosaves are posts of the type `revision` with these slugs. */
export const revisionSlug = (post: number): string => `${post}-revision-v1`
export const autosaveSlug = (post: number): string => `${post}-autosave-v1`
