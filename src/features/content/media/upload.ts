/** Makes a medium from an upload: the route and `api.site.media.upload` share these rules. */
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import type { PictureFacts } from '../../../services/picture-data/index.ts'
import { storedSetting } from '../../../site/setting-rules.ts'
import type { createArgs } from './args.ts'
import { keepFile } from './kept-files.ts'
import { type FoundMedium, parentOf } from './model.ts'
import { addressUpload, noUploadIn, takeFile, type Upload } from './receive.ts'
import { type WriteContext, writeMedium } from './write.ts'

export type CreateArgs = Partial<ArgValues<typeof createArgs>>
type CreateContext = Context<CreateArgs, undefined>

/** Reads the upload of a request: its body, else the address in its arguments. */
export function uploadOf({ args, body, app }: CreateContext): Upload {
  // The cast: the body was read by `receiveUpload`, which makes uploads; other bodies are objects of arguments.
  const sent = body as Partial<Upload> | undefined
  if (sent?.take) return sent as Upload
  if (args.url) return addressUpload(app, args.url)
  throw noUploadIn(body)
}

export async function createMedium(context: CreateContext, upload: Upload): Promise<FoundMedium> {
  const { args, app, storage } = context
  // Before the bytes: a post that takes no files is no reason to read them.
  await parentOf(storage, args.post, 0)
  const { svgUploads } = app
  const takesSvg = svgUploads !== false && context.user.can(svgUploads)
  const file = await takeFile(upload, { limits: app.limits, takesSvg })
  try {
    const kept = await keepFile(context, file, {
      folder: await mediaFolder(context),
      stem: file.name.slice(0, -file.extension.length - 1),
      makesSizes: args.generate_sub_sizes !== false,
      converts: args.convert_format !== false,
      mayDefer: true,
    })
    const titled = file.title === '' ? args : { ...args, title: args.title ?? file.title }
    return await writeMedium({ ...context, args: withOwnTexts(titled as CreateArgs, kept.facts) } as WriteContext, kept)
  } finally {
    await file.remove()
  }
}

/**
 * Interface: the words in a file fill the caption. They are text: HTML in them has no effect. Choice: a description in a file is its alternative text too, unless the file has one for that purpose.
 */
function withOwnTexts(args: CreateArgs, { description, alternative = description }: PictureFacts): CreateArgs {
  return {
    ...args,
    ...(args.caption === undefined && description !== undefined ? { caption: plain(description) as never } : {}),
    ...(args.alt_text === undefined && alternative !== undefined ? { alt_text: alternative } : {}),
  }
}

const plain = (text: string): string => stripTags(text).replaceAll('<', '&lt;')

const byMonthOption = 'upload_path_by_month'

/** Where new files go: by year and month, unless the option says otherwise. */
export async function mediaFolder({
  storage,
  settings,
  app,
}: Pick<Context, 'storage' | 'settings' | 'app'>): Promise<string> {
  const { [byMonthOption]: byMonth } = await storage.options.read([byMonthOption])
  return storedSetting(byMonthOption, byMonth) === false
    ? ''
    : `${settings.time.now(app.clock).local.slice(0, 7).replace('-', '/')}/`
}
