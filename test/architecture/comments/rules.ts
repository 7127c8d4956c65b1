/** The rules for the words of comments: `refusal` says why a comment breaks them. */
import { ALSO_NOUNS, FORMS, VERBS } from './verbs.ts'

/** A comment without a verb may have so many words: it is the label of a member or a constant. */
const LABEL_WORDS = 10

/** Words that hide the noun. `stands for` is the term for a sign and its meaning. */
const vague: [RegExp, string][] = [
  [/\bnobody\b/i, 'nobody'],
  [/\bwho asks\b/i, 'who asks'],
  [/\btold\b/i, 'told'],
  [/\bstands?\b(?! for\b)/i, 'stands'],
  [/\bof (?:its|their) own\b/i, 'of its own'],
  [/\bwhat is\b/i, 'what is'],
  [/^what\b/i, 'What …'],
  [/^the same of\b/i, 'The same of …'],
]

const set = (words: string) => new Set(words.trim().split(/\s+/))

/** Words before a verb: "it runs", "which names the field". */
const subjects = set(`
  it that which who they we you one nothing something each this these those others all both whoever also never always not then
  only still again therefore so
`)
/** Words behind a verb: "names the field", "runs before the check". */
const objects = set(`
  a an the its their no what whether that this these those each every all one some any it them itself themselves such as in into
  on with without to from for by at against about over after before behind like only also not never than if when where until more
  most other another two three several how code nothing everything up out back away off whose once again through between among
`)
/** Words before a noun or an adjective: what follows "the" or "for" is no verb. */
const determiners = set(`
  a an the its their no of for in by on with without to from this each every some any such as than per at like his
  her your our whose another other
`)
/** "Earlier versions stored the names": a participle has no object. */
const articles = set('a an the its their it them this that no what all both')
/** Words that follow a noun at the beginning: "names of files", "counts and totals". */
const nounFollowers = set('of and or in for with that by are from without whose to at on as is')
/** Behind a participle at the beginning: "called for each row", "made by a trigger". */
const participleFollowers = set(
  'for by with to from after before when on in at once as per only if until where without while together',
)
const participles = set(
  'made given kept set read sent run shown taken found put written built left drawn chosen known begun',
)
/** At the beginning of a comment without a verb: its other half is in the head of the writer. */
const fragments = set(`
  of in by for from without after before with on at as to only also never those these so and or under below above between until
  while where when if because than but not same whether more less most within inside beside beyond during since among through
`)

const isPlural = (word: string) => /[^s]s$/.test(word)
const thirdPerson = (verb: string) => {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(?:[sxz]|ch|sh|[^aeiou]o)$/.test(verb) ? `${verb}es` : `${verb}s`
}
const verbs = new Set(VERBS)
const sureForms = new Set([...FORMS, ...VERBS.map(thirdPerson)])
const nouns = new Set(ALSO_NOUNS)
const pluralNouns = new Set(ALSO_NOUNS.map(thirdPerson))

/** Whether a word is a verb between these neighbours; the first word of a sentence has none before it. */
function isVerb(word: string, before: string | undefined, after = ''): boolean {
  if (sureForms.has(word)) return true
  if (before === undefined) return isLeadingVerb(word, after)
  if (verbs.has(word)) return !determiners.has(before)
  if (nouns.has(word)) {
    if (subjects.has(before) || (articles.has(after) && !determiners.has(before))) return true
    return isPlural(before) && !nounFollowers.has(after)
  }
  if (pluralNouns.has(word))
    return subjects.has(before) || (!isPlural(before) && !determiners.has(before) && objects.has(after))
  return word.endsWith('ed') && (articles.has(after) || /^(?:it|they|that|which|who|we)$/.test(before))
}

function isLeadingVerb(word: string, after: string): boolean {
  if (verbs.has(word)) return true
  if (pluralNouns.has(word)) return after !== '' && !nounFollowers.has(after)
  if (nouns.has(word)) return objects.has(after) && !nounFollowers.has(after)
  return (word.endsWith('ed') || participles.has(word)) && participleFollowers.has(after)
}

/** Each part between points, colons and semicolons begins with its subject, or with the verb itself. */
function hasVerb(text: string): boolean {
  return text.split(/[.!?:;](?=\s|$)/).some((part) => {
    const words = part.match(/[a-z][a-z'-]*/gi)?.map((word) => word.toLowerCase()) ?? []
    return words.some((word, at) => isVerb(word, words[at - 1], words[at + 1]))
  })
}

/** Undefined for a comment that keeps the rules. */
export function refusal(comment: string): string | undefined {
  const text = comment
    .replace(/`[^`]*`/g, 'code')
    .replace(/https?:\S+/g, 'address')
    .replace(/\bDefault: [^.;]*[.;]?/g, '')
    .trim()
  const found = vague.find(([pattern]) => pattern.test(text))
  if (found) return `"${found[1]}"`
  if (hasVerb(text)) return undefined
  const words = text.split(' ')
  if (words.length > LABEL_WORDS) return 'no verb'
  const first = words[0]?.toLowerCase() ?? ''
  return words.length > 1 && fragments.has(first) ? `no verb, and a label does not begin with "${first}"` : undefined
}
