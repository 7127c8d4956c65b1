/**
 * Tells texts of an author from technical values among the settings of any widget: by the words of the setting's name, and by the
 * shape of the value.
 */

/** The last words of names of technical settings. */
const technical =
  words(`align alignment animation arrows attribute attributes autoplay background bg behavior behaviour blend border
  breakpoint breakpoints bottom class classes color colour columns columns_count control controls css delay device direction display dots
  duration easing effect effects enable family fill filter fit font format gap gradient gutter height hover html_tag icon_type id ids image
  index infinite js json key layout left lightbox library limit lines loop margin mask masonry max min mode mobile offset opacity order
  orderby orientation overflow overlay padding pagination parallax per_page per_view pattern picker position preset query radius ratio repeat
  responsive reverse right rotate scale script selector separator_type shadow shape show size sizes skin slug source space spacing speed
  sticky stretch style styles tablet tag target taxonomy template theme threshold thickness token top transform transition trigger type unit
  url variant vertical view visibility weight width wrap zindex zoom animation_type alt link_type redirect`)

/** Settings whose values are never shown, whatever their shape. */
const hidden =
  words(`attribute attributes animation class classes color colour css family font format id ids js json key query script
  selector shortcode token transition url alt redirect slug password api`)

/** Settings whose values are texts, also single words and numbers. */
const texts =
  words(`about address amount answer author badge bio body button btn caption city comment company content copy copyright cost
  count country cta currency date day desc description designation details digit editor email excerpt fact feature features footer
  headline heading header hours info intro item job label lead list_text message month more name note number organization paragraph
  percentage period person phone place plan position prefix price profession question quote remark ribbon role sentence slogan
  speaker statement step subheading subtitle sub suffix summary symbol tagline tel testimonial text texts time title tooltip value venue word
  words year`)

/** Switches begin with these. */
const switches = words('show hide enable disable is has use display allow with')

/** Numbers of these belong to a list of posts, or to a slider. */
const counted = words('posts post query page items slides slide columns column rows per offset limit max min')

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}

/** Splits a name at underscores, dashes and capitals; numbers at its end are left out. */
export function wordsOf(name: string): readonly string[] {
  const all = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\-\s.]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')
  return all.length === 0 ? [name.toLowerCase()] : all
}

export function isAuthorText(name: string, value: string): boolean {
  const text = value.trim()
  const named = wordsOf(name)
  if (text === '' || isCode(text) || isHidden(named)) return false
  if (/<[a-z][^>]*>/i.test(text)) return withoutTags(text) !== ''
  if (isTechnical(named)) return isSentence(text) || (named.at(-1) === 'position' && /^\p{Lu}\p{Ll}+$/u.test(text))
  const isTextName = named.some((word) => texts.has(word))
  if (/^[-+]?[\d.,:/% ]+$/.test(text)) return isTextName && !named.some((word) => counted.has(word))
  return !isChoice(text) || (isTextName && !choices.has(text))
}

const isHidden = (named: readonly string[]): boolean =>
  hidden.has(named.at(-1) ?? '') || named.includes('css') || named.includes('typography')

function isTechnical(named: readonly string[]): boolean {
  const last = named.at(-1) ?? ''
  return technical.has(last) || (named.length > 1 && switches.has(named[0] ?? '') && !texts.has(last))
}

const withoutTags = (html: string): string => html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>|&nbsp;|\s/gi, '')

const isSentence = (text: string): boolean =>
  /\S\s+\S/.test(text) && /^[\p{Lu}\p{N}"'“„«(¿¡]|[.!?…:]$|\s\S+\s\S/u.test(text)

/** One word in small letters, or in camel case, is a choice, unless the name says that it is a text. */
const isChoice = (text: string): boolean => /^[a-z][\w-]*$/.test(text)

const choices =
  words(`yes no on off true false none left right center top bottom middle start end full default custom inherit auto solid
  dashed dotted h1 h2 h3 h4 h5 h6 div span p horizontal vertical row column classic gradient small medium large post page`)

/** Addresses, colours, sizes, dates of pickers, JSON, style sheets, scripts, and names of classes. */
function isCode(text: string): boolean {
  return (
    /^(?:(?:https?:)?\/\/|\/|#|\.\/|mailto:|tel:|javascript:|data:)\S*$/i.test(text) ||
    /^(?:rgba?|hsla?|var|calc|linear-gradient|radial-gradient)\(/i.test(text) ||
    /^-?[\d.]+(?:px|em|rem|%|vh|vw|fr|deg|ms|s)$/.test(text) ||
    /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ||
    /^[{[][\s\S]*[}\]]$/.test(text) ||
    /\{[^}]*:[^}]*\}/.test(text) ||
    /^(?:var|let|const|function|document|window|jQuery)\b[\s\S]*[;({]/.test(text) ||
    /^[\w-]+(?:__|--)[\w-]+$/.test(text)
  )
}
