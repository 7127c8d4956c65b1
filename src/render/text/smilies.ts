/** Smilies typed with signs become characters. Only between blanks, and never inside code. */
import { mapMarkup } from './markup.ts'

const FACES: Readonly<Record<string, string>> = {
  ...{
    ':neutral:': '😐',
    ':twisted:': '😈',
    ':arrow:': '➡',
    ':shock:': '😯',
    ':smile:': '🙂',
    ':???:': '😕',
    ':cool:': '😎',
  },
  ...{ ':evil:': '👿', ':grin:': '😀', ':idea:': '💡', ':oops:': '😳', ':razz:': '😛', ':wink:': '😉', ':cry:': '😥' },
  ...{ ':eek:': '😮', ':lol:': '😆', ':mad:': '😡', ':sad:': '🙁', ':!:': '❗', ':?:': '❓', '8-)': '😎', '8-O': '😯' },
  ...{
    ':-(': '🙁',
    ':-)': '🙂',
    ':-?': '😕',
    ':-D': '😀',
    ':-P': '😛',
    ':-o': '😮',
    ':-x': '😡',
    ':-|': '😐',
    ';-)': '😉',
  },
  ...{
    '8O': '😯',
    ':(': '🙁',
    ':)': '🙂',
    ':?': '😕',
    ':D': '😀',
    ':P': '😛',
    ':o': '😮',
    ':x': '😡',
    ':|': '😐',
    ';)': '😉',
  },
}
const FACE =
  /(?<=[\r\n\t \u00a0]|&nbsp;|^)(?::(?:[a-z]{3,7}:|[!?]:|\?\?\?:|-?[(?)DPox|])|8-?O|8-\)|;-?\))(?=[\r\n\t \u00a0]|&nbsp;|$)/gm
const MAY_HAVE_FACE = /:[-a-z!?()DP|]|8-?[)O]|;-?\)/
const CODE = /^<(code|pre|style|script|textarea)[^>]*>$/i

export function faces(html: string): string {
  if (!MAY_HAVE_FACE.test(html)) return html
  let closing = ''
  return mapMarkup(
    html,
    (text) => (closing === '' ? text.replace(FACE, (sign) => FACES[sign] ?? sign) : text),
    (tag) => {
      if (closing === '') closing = CODE.test(tag) ? `</${(CODE.exec(tag)?.[1] ?? '').toLowerCase()}>` : ''
      else if (tag.toLowerCase() === closing) closing = ''
      return tag
    },
  )
}
