/** Says for people what has changed. */
import type { Json } from '../../../../contract/storage.ts'
import type { ElementDifference } from '../../../shared/difference/elements.ts'
import type { MemberDifference } from '../../../shared/difference/values.ts'

const quoted = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `“${text.slice(0, 57)}…”` : `“${text}”`
}

/** `settings.title_color` is the title color. */
const labelOf = (member: string): string =>
  (member.replace(/^settings\.|^row\.|^meta\./, '').replace(/\.\$\$type$|\.value$/, '') || 'value')
    .replaceAll('_', ' ')
    .trim()

const isColor = (value: Json) => typeof value === 'string' && /^#[0-9a-f]{3,8}$|^(?:rgb|hsl)a?\(/i.test(value)
const isEmpty = (value: Json) => value === null || value === ''

export function memberSentence({ member, before, after, words }: MemberDifference): string {
  const label = labelOf(member)
  if (/(?:^|[._])classes(?:\.|$)/.test(member)) return classSentence(before, after)
  if (words) return wordSentence(label, words)
  if (isColor(before) && isColor(after)) return `${label} changed from ${String(before)} to ${String(after)}`
  if (isEmpty(before)) return `${label} set to ${quoted(after)}`
  if (isEmpty(after)) return `${label} removed: it was ${quoted(before)}`
  return `${label} changed from ${quoted(before)} to ${quoted(after)}`
}

function wordSentence(label: string, words: NonNullable<MemberDifference['words']>): string {
  const count = (change: string) =>
    words
      .filter((run) => run.change === change)
      .reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0)
  const parts = [[count('added'), 'added'] as const, [count('removed'), 'removed'] as const].filter(
    ([number]) => number > 0,
  )
  if (parts.length === 0) return `${label}: signs and blanks changed`
  return `${label}: ${parts.map(([number, what]) => `${number} ${number === 1 ? 'word' : 'words'} ${what}`).join(', ')}`
}

function classSentence(before: Json, after: Json): string {
  const [was, is] = [namesIn(before), namesIn(after)]
  const added = is.filter((name) => !was.includes(name))
  const removed = was.filter((name) => !is.includes(name))
  const parts = [...added.map((name) => `class ${name} added`), ...removed.map((name) => `class ${name} removed`)]
  return parts.length > 0 ? parts.join(', ') : 'the order of classes changed'
}

const namesIn = (value: Json): string[] => {
  if (typeof value === 'string') return value.split(/\s+/).filter((name) => name !== '')
  if (Array.isArray(value)) return value.flatMap((one: Json) => namesIn(one))
  return []
}

export function elementSentence({ name, change, from, to, members }: ElementDifference): string {
  const element = name.replaceAll(/[-_]/g, ' ')
  switch (change) {
    case 'added':
      return `${element} added`
    case 'removed':
      return `${element} removed`
    case 'moved': {
      const where =
        from?.parent === to?.parent
          ? `from place ${(from?.position ?? 0) + 1} to ${(to?.position ?? 0) + 1}`
          : 'to another container'
      return `${element} moved ${where}${members.length > 0 ? ', and changed' : ''}`
    }
    case 'changed':
      return `${element} changed`
  }
}
