/**
 * Converts block markup between neutral and public names: the word in block comments, and the class prefix of blocks.
 * Changes nothing else in a text; each step is linear in its length.
 */

type Pairs = readonly (readonly [neutral: string, outer: string, ...rest: unknown[]])[]

const neutralMarker = '<!-- cms:'
const neutralClass = 'cms-block-'

/** The two names are swapped, so that the function is its own inverse. */
export function createMarkupNames(map: Pairs): (content: string) => string {
  const outerOf = (neutral: string) => map.find(([one]) => one === neutral)?.[1] ?? neutral
  const marker = outerOf(neutralMarker)
  const mark = /^<!-- ([a-z][a-z0-9_-]*):$/.exec(marker)?.[1]
  if (mark === undefined) throw new TypeError(`a block marker has the form <!-- word:, not ${marker}`)
  const swapComments = mark === 'cms' ? same : createSwapComments(mark)
  const outerClass = outerOf(neutralClass)
  if (!/^[a-z][\w-]*-$/i.test(outerClass)) throw new TypeError(`a block class begins like word-, not ${outerClass}`)
  const swapClasses = outerClass === neutralClass ? same : createSwapClasses(outerClass)
  return (content) => (content.includes('<') ? swapClasses(swapComments(content)) : content)
}

const same = (content: string) => content

function createSwapComments(mark: string): (content: string) => string {
  const head = new RegExp(`(<!--[\\t-\\r ]+/?)(cms|${mark}):(?=[a-z])`, 'g')
  return (content) =>
    content.includes(':')
      ? content.replace(head, (_, start: string, word: string) => `${start}${word === 'cms' ? mark : 'cms'}:`)
      : content
}

const attribute = /([\t-\r /"']class[\t-\r ]*=[\t-\r ]*)("[^"]*"|'[^']*'|[^\t-\r >"']+)/gi

function createSwapClasses(outer: string): (content: string) => string {
  const token = new RegExp(`(?<![^\\t-\\r "'])(?:${neutralClass}|${outer})(?=[\\w-])`, 'g')
  const swapped = (classes: string) =>
    classes.replace(token, (found) => (found === neutralClass ? outer : neutralClass))
  const inTag = (tag: string) =>
    tag.includes(neutralClass) || tag.includes(outer)
      ? tag.replace(attribute, (_, start: string, classes: string) => start + swapped(classes))
      : tag
  return (content) => {
    if (!content.includes(neutralClass) && !content.includes(outer)) return content
    let result = ''
    let done = 0
    for (let open = content.indexOf('<'); open !== -1; ) {
      if (!/[a-z]/i.test(content[open + 1] ?? '')) {
        open = content.indexOf('<', open + 1)
        continue
      }
      const end = endOfTag(content, open)
      result += content.slice(done, open) + inTag(content.slice(open, end))
      done = end
      open = content.indexOf('<', end)
    }
    return result + content.slice(done)
  }
}

/** A `>` inside quotes does not end the tag; an unterminated tag is none. */
function endOfTag(content: string, open: number): number {
  let quote = ''
  for (let at = open + 1; at < content.length; at++) {
    const sign = content[at] as string
    if (quote === '' && sign === '>') return at + 1
    if (sign !== '"' && sign !== "'") continue
    if (quote === '') quote = sign
    else if (quote === sign) quote = ''
  }
  return content.length
}
