/** `api.site.media`: the records of media. The files themselves are the host's; nothing here reads or writes them. */
import { alternativeTextKey, attachedFileKey, attachmentMetadataKey, blankColumns } from '../site/post-keys.ts'
import { suffixedSlug, toSlug } from '../site/slug.ts'
import type { Json, Post, PostValues, Storage } from '../storage/contract.ts'
import { inOneTransaction, type ManagementContext } from './context.ts'

/** What it tells listeners. */
export interface SiteMediaEvents {
  'media.created': { readonly id: number }
  'media.removed': { readonly id: number }
}

declare module '../core/declare/events.ts' {
  interface EventPayloads extends SiteMediaEvents {}
}

export interface MediumValues {
  /** The path below the folder of uploads, such as `2024/05/pier.jpg`. */
  readonly file: string
  readonly mimeType: string
  readonly title?: string
  /** Default: made from the title, with a number behind it when it is taken. */
  readonly slug?: string
  readonly width?: number
  readonly height?: number
  /** What stands for it where it can not be seen. */
  readonly alt?: string
  readonly caption?: string
  readonly description?: string
  readonly author?: number
  /** The post that it was sent up for; 0: none. */
  readonly parent?: number
  /** A null value removes the key. */
  readonly meta?: { readonly [key: string]: Json }
}

export interface SiteMedia {
  create(values: MediumValues): Promise<Post>
  /** Removes the record; posts that show it keep their number. Answers false when there was none. */
  remove(id: number): Promise<boolean>
  find(id: number): Promise<Post | undefined>
}

export function createMedia({ storage, app, ready, emit }: ManagementContext): SiteMedia {
  const find = async (inside: Storage, id: number): Promise<Post | undefined> => {
    const [row] = await inside.posts.read([id])
    return row?.type === 'attachment' ? row : undefined
  }

  return {
    async create(values) {
      await ready()
      const { time } = await app.settings.read(storage)
      const { local, gmt } = time.now(app.clock)
      const medium = await inOneTransaction(storage, async (inside) => {
        const slug =
          values.slug ?? (await freeSlug(inside, toSlug(values.title ?? '') || toSlug(values.file) || 'media'))
        const dates = { date: local, dateGmt: gmt, modified: local, modifiedGmt: gmt }
        const [id = 0] = await inside.posts.insert([mediumRow(values, slug, dates)])
        const meta = { ...mediumMeta(values), ...values.meta }
        await inside.meta.write(
          'post',
          Object.entries(meta).map(([key, value]) => ({ id, key, value })),
        )
        // The cast: it was inserted right here.
        return (await find(inside, id)) as Post
      })
      emit([{ name: 'media.created', payload: { id: medium.id } }])
      return medium
    },

    async remove(id) {
      await ready()
      if (!(await find(storage, id))) return false
      await storage.posts.remove([id])
      emit([{ name: 'media.removed', payload: { id } }])
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
  ...blankColumns,
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
})

/** Where a medium's file and size are kept. */
export function mediumMeta({ file, width, height, alt }: Partial<MediumValues>): { readonly [key: string]: Json } {
  const isMeasured = file !== undefined && width !== undefined && height !== undefined
  return {
    ...(file === undefined ? {} : { [attachedFileKey]: file }),
    ...(isMeasured ? { [attachmentMetadataKey]: { file, width, height } } : {}),
    ...(alt === undefined || alt === '' ? {} : { [alternativeTextKey]: alt }),
  }
}

async function freeSlug(storage: Storage, base: string): Promise<string> {
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : suffixedSlug(base, n)
    if ((await storage.posts.takenSlugs('attachment', [slug])).length === 0) return slug
  }
}
