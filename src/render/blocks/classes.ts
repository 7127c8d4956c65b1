/**
 * Adding a class to an element of finished HTML without taking the rest apart.
 */
import { endOfMarkup } from '../text/markup.ts'

const TAG = /^<([a-zA-Z][^\t-\r />]*)/
const CLASS = /[\t-\r /]class[\t-\r ]*=[\t-\r ]*(?:"([^"]*)"|'([^']*)'|([^\t-\r >"']+))/i

/** Gives the first element whose name fits one class more. Elements of other names before it are passed over. */
export function addClass(html: string, elements: RegExp, name: string): string {
  for (let open = html.indexOf('<'); open !== -1; ) {
    const end = html.startsWith('<!--', open) ? endOfMarkup(html, open) : endOfTag(html, open)
    const tag = html.slice(open, end)
    const element = TAG.exec(tag)?.[1]
    if (element !== undefined && elements.test(element.toLowerCase())) {
      return html.slice(0, open) + withClass(tag, element, name) + html.slice(end)
    }
    open = html.indexOf('<', end)
  }
  return html
}

/** Quotes hide a `>`. */
function endOfTag(html: string, open: number): number {
  let quote = ''
  for (let at = open + 1; at < html.length; at++) {
    const sign = html[at] as string
    if (quote === '' && sign === '>') return at + 1
    if (sign !== '"' && sign !== "'") continue
    if (quote === '') quote = sign
    else if (quote === sign) quote = ''
  }
  return html.length
}

function withClass(tag: string, element: string, name: string): string {
  const found = CLASS.exec(tag)
  const start = element.length + 1
  if (found === null) return `${tag.slice(0, start)} class="${name}"${tag.slice(start)}`
  const given = found[1] ?? found[2] ?? found[3] ?? ''
  const names = given.split(/[\t-\r ]+/).filter((one) => one !== '')
  if (names.includes(name)) return tag
  const list = [...names, name].join(' ').replaceAll('"', '&quot;')
  const end = found.index + found[0].length
  return `${tag.slice(0, found.index)} class="${list}"${tag.slice(end)}`
}
