/** `api.site.media`: media records. The host stores the files; nothing here reads or writes them. */

import { blankPost } from '../contract/fields/blank.ts'
import type { Json, MaybePromise, Post, PostValues, Storage } from '../contract/storage.ts'
import { freeSlug } from '../site/free-slug.ts'
import { alternativeTextKey, attachedFileKey, attachmentMetadataKey } from '../site/post-keys.ts'
import { toSlug } from '../site/slug.ts'
import { type ManagementContext, metaEntries } from './context.ts'

/** Events of media. */
export interface SiteMediaEvents {
  'media.created': { readonly id: number }
  'media.removed': { readonly id: number }
}

interface MediumValues {
  /** The path below the uploads folder, such as `2024/05/pier.jpg`. */
  readonly file: string
  readonly mimeType: string
  readonly title?: string
  /** Default: derived from the title, with a numeric suffix if that slug is taken. */
  readonly slug?: string
  readonly width?: number
  readonly height?: number
  /** The alternative text. */
  readonly alt?: string
  readonly caption?: string
  readonly description?: string
  readonly author?: number
  /** The post that it is attached to; 0: none. */
  readonly parent?: number
  /** A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

/** `api.site.media`: records of files that the host keeps itself. */
export interface SiteMedia {
  create(values: MediumValues): Promise<Post>
  /** Removes the record; posts keep the id of a removed medium. Returns false if there was none. */
  remove(id: number): Promise<boolean>
  find(id: number): Promise<Post | undefined>
}

export function createMedia({ storage, app, ready, write }: ManagementContext): SiteMedia {
  const find = async (transaction: Storage, id: number): Promise<Post | undefined> => {
    const [row] = await transaction.posts.read([id])
    return row?.type === 'attachment' ? row : undefined
  }

  return {
    async create(values) {
      await ready()
      const { time } = await app.settings.read(storage)
      const { local, gmt } = time.now(app.clock)
      return write(async (transaction, queue) => {
        const slug =
          values.slug ??
          (await unusedMediumSlug(transaction, toSlug(values.title ?? '') || toSlug(values.file) || 'media'))
        const dates = { date: local, dateGmt: gmt, modified: local, modifiedGmt: gmt }
        const [id = 0] = await transaction.posts.insert([mediumRow(values, slug, dates)])
        const meta = { ...mediumMeta(values), ...values.meta }
        await transaction.meta.write('post', metaEntries(id, meta))
        queue('media.created', { id })
        // The cast: the row was inserted above.
        return (await find(transaction, id)) as Post
      })
    },

    async remove(id) {
      await ready()
      if (!(await find(storage, id))) return false
      await write(async ({ posts }, queue) => {
        await posts.remove([id])
        queue('media.removed', { id })
      })
      return true
    },

    async find(id) {
      await ready()
      return find(storage, id)
    },
  }
}

type Dates = Pick<PostValues, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>

const mediumRow = (values: MediumValues, slug: string, dates: Dates): PostValues => ({
  ...blankPost,
  type: 'attachment',
  status: 'inherit',
  slug,
  title: values.title ?? '',
  content: values.description ?? '',
  excerpt: values.caption ?? '',
  author: values.author ?? 0,
  parent: values.parent ?? 0,
  ...dates,
  mimeType: values.mimeType,
  // Interface: files are open for comments, whatever the default for posts.
  commentStatus: 'open',
})

/** The meta that stores a medium's file, size and alternative text. */
export function mediumMeta({ file, width, height, alt }: Partial<MediumValues>): { readonly [key: string]: Json } {
  const isMeasured = file !== undefined && width !== undefined && height !== undefined
  return {
    ...(file === undefined ? {} : { [attachedFileKey]: file }),
    ...(isMeasured ? { [attachmentMetadataKey]: { file, width, height } } : {}),
    ...(alt === undefined || alt === '' ? {} : { [alternativeTextKey]: alt }),
  }
}

const unusedMediumSlug = (storage: Storage, base: string): MaybePromise<string> =>
  freeSlug(base, (slugs) => storage.posts.takenSlugs('attachment', slugs))
