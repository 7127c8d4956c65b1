/** Images and frames load when they are needed. What the author says about loading stays. */
import { mapMarkup } from './markup.ts'

export function lazyMedia(html: string): string {
  if (!html.includes('<img') && !html.includes('<iframe')) return html
  return mapMarkup(html, (text) => text, lazyTag)
}

function lazyTag(tag: string): string {
  if (/^<img[\t-\r ]/.test(tag)) return lazyImage(tag)
  if (/^<iframe[\t-\r ]/.test(tag) && hasSize(tag) && !tag.includes(' loading='))
    return `<iframe loading="lazy"${tag.slice(7)}`
  return tag
}

function lazyImage(tag: string): string {
  if (!tag.includes(' src="')) return tag
  const attributes = / decoding=["']?[^"' >]/i.test(tag) ? tag.slice(4) : ` decoding="async"${tag.slice(4)}`
  const isLazy = hasSize(tag) && !/ loading=["']?[^"' >]/i.test(tag) && !/ fetchpriority=["']?high/i.test(tag)
  return isLazy ? `<img loading="lazy"${attributes}` : `<img${attributes}`
}

/** Without a size the page would jump when the image comes. */
function hasSize(tag: string): boolean {
  return tag.includes(' src="') && tag.includes(' width="') && tag.includes(' height="')
}
