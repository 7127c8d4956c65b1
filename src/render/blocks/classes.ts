/** Adding a class to one tag without taking the rest of it apart. */
import type { OpenTag } from '../../html/tokens.ts'

const BLANKS = /[\t\n\f\r ]+/

/** The source of the tag with the class behind its others, or as it is when it has the class. */
export function withClass(html: string, tag: OpenTag, className: string): string {
  const given = tag.attributes.find(({ name }) => name.toLowerCase() === 'class')
  if (given === undefined) {
    const nameEnd = tag.start + 1 + tag.name.length
    return `${html.slice(tag.start, nameEnd)} class="${className}"${html.slice(nameEnd, tag.end)}`
  }
  const classes = (given.value ?? '').split(BLANKS).filter((one) => one !== '')
  if (classes.includes(className)) return html.slice(tag.start, tag.end)
  const list = [...classes, className].join(' ').replaceAll('"', '&quot;')
  return `${html.slice(tag.start, given.start)}class="${list}"${html.slice(given.end, tag.end)}`
}
