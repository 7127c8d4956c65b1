/**
 * Tells texts of an author from technical values among the settings of any widget: by the words of the setting's name, and by the
 * shape of the value.
 */

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}

/** Last words of the names of settings that choose, measure or switch. A sentence among them is a text nevertheless. */
const technical =
  words(`align alignment angle anim animation arrow arrows autoplay background behavior bg blend border breakpoint breakpoints
  clickable code color colour columns connector control controls corner delay desktop device dir direction dismissable display
  dots duration easing effect enable enabled entrance event fill filter fit font form gap gradient grayscale grid gutter
  handle handler height hover html_tag image index infinite ken kind layout left legend length lightbox limit location loop
  margin marker mask masonry max min mobile mode mood nav offset opacity open order orderby orient orientation overflow
  overlay padding pagination parallax pattern paused picker placement player pos position preset provider pulse radius random
  ratio refresh relation renderer repeat responsive reverse right rotate scale schema scheme separator shadow shape side size
  sizes skin sort sortable source space spacing span speed spin start status sticky stretch striped style styles switch tablet
  tag target taxonomy template theme thickness timezone trigger type tz unit units variant vertical view visibility weight
  width wrap zindex zoom`)

/** Settings whose values are never shown, whatever their shape. */
const hidden =
  words(`alt api attribute attributes class classes css family format id ids js json key lang onclick password query redirect script
  selector shortcode slug token transition typography url user`)

/** Names of settings whose values are texts, also where the value is a number. */
const texts =
  words(`amount answer badge bio body button caption cell city company content copyright cost count country currency day desc
  description designation discount end excerpt fact feature features heading headline hours info intro item label message month name note
  number paragraph percent percentage period phone place prefix price question quote role sentence slogan statement step subtitle suffix
  summary symbol tagline tel text texts time title tooltip value venue word words year`)

/** Switches begin with these. */
const switches = words('show hide enable disable is has use display allow with no')

/** Numbers beside these belong to a list of posts, a slider or a measure. */
const counted =
  words(`posts post query page items slides slide columns column rows row per offset limit max min speed delay length duration
  rating letters size zoom width height`)

/** Single words that options have as values: switches, places, looks, kinds. */
const choices =
  words(`above absolute active after all always animated arriving arrows asc auto background backward bar bars before below block
  bold border bordered both bottom bounce box boxed bullets button card center centered checkbox circle classic click clip
  close closed column compact contain content cover custom dark dashed date decimal default desc disabled disc div dollar dots
  dotted double dropdown ease enabled end euro fade false fast fastest fill filled fit fixed flex flip float fluid forward
  framed full gallery global gradient grid group grow half hidden horizontal hover hs icon image imperial inherit initial
  inline inner inside italic justify label large left lg light line linear link list load lower ltr manual masonry md medium
  menu metric middle minimal mobile modal mouseenter mouseover move name never newest no none normal numbers off oldest on
  order outer outline outset outside overlay page pause picture plain popup post pound primary pulse radial random ratio
  relative reset reverse ribbon right rotate round rounded row rows rtl saved scroll seal secondary section self shadow shrink
  side simple skin slide slider slow sm small solid span spicy square stacked start static step stretch striped tab table tabs
  thumbnail tile tilt title toggle top true typing underline unset up upper url user vertical visible warning website wide
  wrap xl xs yes zigzag zoom`)

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
  if (!isTechnical(named) || /^\d{1,2}:\d\d(?:\s?[ap]m)?$/i.test(text)) return isShown(named, text)
  return isSentence(text) || (named.at(-1) === 'position' && /^\p{Lu}\p{Ll}+$/u.test(text))
}

/** Judges a value by its shape, of a setting whose name may be that of a text. */
function isShown(named: readonly string[], text: string): boolean {
  const last = named.at(-1) ?? ''
  // A sign alone is a text before or after a number.
  if (!/[\p{L}\p{N}\p{Sc}]/u.test(text)) return /^(?:pre|suf)fix$/.test(last)
  const isCounted = named.some((word) => counted.has(word))
  // A year, a time of day, a price.
  if (/^(?:1[5-9]|20)\d\d$|^\d{1,2}:\d\d(?:\s?[ap]m)?$|^[1-9]\d{0,2}(?:,\d{3})+$|^[1-9]\d*[.,]\d\d$/i.test(text))
    return !isCounted
  // A phone number.
  if (/^\+?\d[\d ()/-]{8,}$/.test(text)) return !isCounted
  const isTextName = named.some((word) => texts.has(word)) || /(?:title|text|label|heading|name)$/.test(last)
  if (/^[-+]?[\d.,/% ]+$/.test(text)) return isTextName && !isCounted
  // Words with a dash, an underscore or a capital inside are names of options; single words may be.
  if (/^[a-z][a-z\d]*(?:[-_][a-z\d]*|[A-Z]\w*)+$/.test(text)) return false
  if (/^[A-Z]{2,4}$/.test(text)) return isTextName
  return !/^[a-z]+\d*$/.test(text) || (!choices.has(text) && (isTextName || text.length > 2))
}

const isHidden = (named: readonly string[]): boolean =>
  hidden.has(named.at(-1) ?? '') || named.includes('css') || named.includes('typography')

function isTechnical(named: readonly string[]): boolean {
  const last = named.at(-1) ?? ''
  return technical.has(last) || (named.length > 1 && switches.has(named[0] ?? '') && !texts.has(last))
}

const withoutTags = (html: string): string => withoutScripts(html).replace(/<[^>]*>|&nbsp;|\s/gi, '')

/** Code between these tags is no text. */
export const withoutScripts = (html: string): string => html.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')

const isSentence = (text: string): boolean =>
  /\S\s+\S/.test(text) && /^[\p{Lu}\p{N}"'“„«(¿¡]|[.!?…:]$|\s\S+\s\S/u.test(text)

/** Addresses, colours, sizes, dates of pickers, ratios, JSON, style sheets, scripts, and names of classes. */
function isCode(text: string): boolean {
  return (
    /^(?:(?:https?:)?\/\/|\/|#|\.\/|www\.|mailto:|tel:|javascript:|data:)\S*$/i.test(text) ||
    /^[\w-]+(?:\.[a-z]{2,})+\/\S*$/i.test(text) ||
    /^(?:rgba?|hsla?|var|calc|linear-gradient|radial-gradient)\(/i.test(text) ||
    /^-?[\d.]+(?:px|em|rem|%|vh|vw|fr|deg|ms|s)$/.test(text) ||
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/.test(text) ||
    /^\d{1,2}[:/]\d$|^[A-Z]\w+\/[A-Z]\w+$/.test(text) ||
    /^[{[][\s\S]*[}\]]$/.test(text) ||
    /\{[^}]*:[^}]*\}/.test(text) ||
    /^(?:var|let|const|function|document|window|jQuery)\b[\s\S]*[;({]/.test(text) ||
    /^[\w$.]+\([^()]*\);?$/.test(text) ||
    /^[\w-]+(?:__|--)[\w-]+$/.test(text) ||
    /^(?:\d+,){2,}\d+$/.test(text)
  )
}
