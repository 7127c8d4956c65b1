/** Gives a newcomer the export of the old site, a copy of its files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf, picture } from '../features/content/media/pictures.ts'
import { author, exportFile, item, site as oldSite } from '../management/import/export-file.ts'

const file = '2023/05/pier.png'

const oldExport = exportFile(
  author('ann', 'ann@old.example', 'Ann'),
  item({ id: 2, type: 'page', slug: 'opening-hours', title: 'Opening hours', content: '<p>Every day.</p>' }),
  item({
    ...{ id: 4, slug: 'the-old-pier', title: 'The old pier' },
    content: `<p><img class="wp-image-5" alt="The pier" src="${oldSite}/wp-content/uploads/${file}"></p>`,
  }),
  item({
    ...{ id: 5, type: 'attachment', status: 'inherit', slug: 'pier', title: 'Pier' },
    more: `<wp:attachment_url>${oldSite}/wp-content/uploads/${file}</wp:attachment_url>`,
    meta: [['_wp_attached_file', file]],
  }),
)

/** The title of the post of the export that shows a picture. */
export const importedSlug = 'the-old-pier'

export async function giveOldSite(folder: string): Promise<void> {
  writeFileSync(join(folder, 'export.xml'), oldExport)
  mkdirSync(join(folder, 'old-uploads/2023/05'), { recursive: true })
  writeFileSync(join(folder, 'old-uploads', file), await bytesOf(picture(400, 200), 'png'))
}
