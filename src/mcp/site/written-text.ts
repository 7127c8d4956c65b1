/** Markdown in the form of a page: elements of the builder or blocks, with the files of the site that its pictures name. */
import { type BuilderElement, newElementId } from '../elements.ts'
import { toBlocks } from '../markdown/blocks.ts'
import { toElements } from '../markdown/elements.ts'
import type { MarkdownBlock } from '../markdown/parse.ts'
import type { AgentSite, PageRecord } from './agent-site.ts'
import { TaskError, type Values } from './task-error.ts'

type WrittenText = { readonly elements: readonly BuilderElement[] } | { readonly content: string }

/** Pictures of one text that are files of the site. */
const maxPictures = 50

export async function writtenText(
  site: AgentSite,
  blocks: readonly MarkdownBlock[],
  form: 'builder' | 'blocks',
): Promise<WrittenText> {
  const media = await mediaIn(site, JSON.stringify(blocks))
  const options = {
    pictureAddress: (source: string) => media.get(source) ?? source,
    pictureId: (source: string) => (media.has(source) ? Number(source.slice('media:'.length)) : undefined),
  }
  return form === 'builder'
    ? { elements: toElements(blocks, { ...options, newId: newElementId }) }
    : { content: toBlocks(blocks, { ...options, vendor: site.routes.vendor }) }
}

/** The addresses of the files that `media:ID` names. */
async function mediaIn(site: AgentSite, text: string): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set([...text.matchAll(/\bmedia:(\d{1,15})\b/g)].map(([, id]) => Number(id)))]
  if (ids.length === 0) return new Map()
  if (ids.length > maxPictures)
    throw new TaskError('mcp_too_many_pictures', `A text may have ${maxPictures} pictures of the site.`)
  const list = site.routes.ending('get', '/v2/media')
  const { data } = await site.call(list, { include: ids, per_page: ids.length, _fields: 'id,source_url' })
  // The cast: the members that were asked for.
  const found = new Map((data as readonly Values[]).map((one) => [Number(one['id']), String(one['source_url'])]))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) {
    throw new TaskError(
      'mcp_no_media',
      `There is no file media:${missing[0]}: the tool media lists files with their ids.`,
      404,
    )
  }
  return new Map([...found].map(([id, address]) => [`media:${id}`, address]))
}

/** Puts a text before or behind that of a page of the same form. */
export function joinedText(record: PageRecord, added: WrittenText, place: string): WrittenText {
  if (place === 'replace') return added
  const put = <T>(old: readonly T[], now: readonly T[]) => (place === 'start' ? [...now, ...old] : [...old, ...now])
  if ('elements' in added) return { elements: put(record.elements ?? [], added.elements) }
  return { content: put(record.content === '' ? [] : [record.content], [added.content]).join('\n\n') }
}
