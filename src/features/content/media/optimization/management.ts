/** `api.site.images`: what the optimization of pictures does, and pictures that were there before; its parts of a feature. */
import type { AppContext } from '../../../../core/declare/app-context.ts'
import type { ExtensionOptions, FeatureParts } from '../../../../core/declare/feature.ts'
import { writeInside } from '../../../../core/pipeline/hooks.ts'
import { asUnitsOfWork } from '../../../../core/runtime/unit-of-work.ts'
import { imagesOf } from '../../../../services/images.ts'
import { mediaRecords, readFileMeta } from '../model.ts'
import { countJobs, enterJobs, enterUpload, imageJobs, picturesDue } from './jobs.ts'

/** The optimized copies of the pictures of a site. */
export interface ImageSummary {
  /** False: pictures are stored as they come; `reason` says which program is missing. */
  readonly isOn: boolean
  readonly reason?: string
  readonly pending: number
  readonly failed: number
  readonly optimized: number
  /** Counts the bytes of the optimized pictures with all their sizes: as they came, and smaller in their own format. */
  readonly before: number
  readonly after: number
  /** The same for browsers that read WebP or AVIF: with the smallest copy of each file. */
  readonly best: number
}

/** `api.site.images`: the optimization of pictures. */
export interface SiteImages {
  /**
   * Counts the pictures of the site.
   *
   * ```ts
   * const { before, after, best } = await api.site.images.summary()
   * ```
   */
  summary(): Promise<ImageSummary>
  /** Enters pictures for optimization: those with these ids, or all. They are done beside requests. Returns how many. */
  optimize(ids?: readonly number[]): Promise<number>
}

const windowSize = 500

async function whyOff(app: AppContext): Promise<string | undefined> {
  const images = imagesOf(app)
  if (!images.encode) return 'services.images does not optimize: createImages({ optimizes: true })'
  return (await images.isAvailable()) ? undefined : 'the package sharp is not installed'
}

const createImagesManagement = (options: ExtensionOptions): SiteImages =>
  asUnitsOfWork(options.storage, (storage) => managementOn({ ...options, storage }))

function managementOn(options: ExtensionOptions): SiteImages {
  const { storage, app, ready } = options
  async function* windows() {
    await ready()
    for (let offset = 0; ; offset += windowSize) {
      const order = { by: 'id', descending: false } as const
      const { idsPage } = await storage.posts.query({ types: [mediaRecords.name], order, offset, limit: windowSize })
      if (idsPage.length > 0) yield idsPage.map(({ id }) => id)
      if (idsPage.length < windowSize) return
    }
  }
  return {
    async summary() {
      const totals = { optimized: 0, before: 0, after: 0, best: 0 }
      for await (const ids of windows()) {
        const fileOf = await readFileMeta(storage, ids)
        const made = ids.flatMap((id) => fileOf(id).details.optimization ?? [])
        totals.optimized += made.length
        for (const { before, after, best = after } of made) {
          totals.before += before
          totals.after += after
          totals.best += best
        }
      }
      const reason = await whyOff(app)
      return {
        isOn: reason === undefined,
        ...(reason === undefined ? {} : { reason }),
        ...(await countJobs(storage)),
        ...totals,
      }
    },
    async optimize(chosen) {
      let count = 0
      const enter = async (ids: readonly number[]) => {
        await writeInside(options, (context) => enterJobs(context, ids))
        count += ids.length
      }
      if (chosen) await enter(chosen)
      else for await (const ids of windows()) await enter(ids)
      return count
    },
  }
}

/** The parts of a feature that optimizes the pictures of a site. */
export const pictureParts = {
  siteExtensions: { images: createImagesManagement },
  hooks: { 'media.created': ({ id }, context) => enterUpload(context, id) },
  background: { name: 'pictures', collection: imageJobs.name, run: picturesDue },
} satisfies FeatureParts
