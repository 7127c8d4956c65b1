/** Makes the tags of the document: one for each feature, with a title, in groups and in the order of the documentation. */
import type { Names } from '../../../names/word-map.ts'
import type { FeatureGroup } from '../../declare/documentation.ts'
import type { OpenApiDocument, Tag } from './document.ts'

interface Tags {
  readonly tags: readonly Tag[]
  readonly tagGroups: OpenApiDocument['x-tagGroups']
}

/** `features` are the names of the features that have routes. */
export function createTags(features: readonly string[], groups: readonly FeatureGroup[] = [], names: Names): Tags {
  const grouped = new Set(groups.flatMap((group) => Object.keys(group.features)))
  const others = features.filter((name) => !grouped.has(name))
  const otherGroup = { title: 'Others', features: Object.fromEntries(others.map((name) => [name, wordsOf(name)])) }
  const titleOf = createTitles()
  const used = [...groups, otherGroup]
    .map(({ title, features: titles }) => ({
      name: title,
      tags: Object.entries(titles)
        .filter(([name]) => features.includes(name))
        .map(([name, words]): Tag => ({ name: names.toPublic(name), 'x-displayName': titleOf(name, words) })),
    }))
    .filter(({ tags }) => tags.length > 0)
  return {
    tags: used.flatMap(({ tags }) => tags),
    tagGroups: used.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
  }
}

/** A title that another group has already is followed by the name of its feature. */
function createTitles() {
  const taken = new Set<string>()
  return (name: string, words: string): string => {
    const title = taken.has(words) ? `${words} (${name})` : words
    taken.add(title)
    return title
  }
}

function wordsOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
