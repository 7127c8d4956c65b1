/** The text rules of a checkout, and the texts of the sample site that they are measured with. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

interface Render {
  title(raw: string): string
  content(raw: string): string
  excerpt(post: { readonly excerpt: string; readonly content: string }): string
}

type TextRule = (text: string) => string

/** The functions that are measured, as their files export them. */
export interface TextRules {
  readonly createRender: () => Render
  readonly filterContent: TextRule
  readonly filterTitle: TextRule
  readonly paragraphs: TextRule
  readonly typeset: TextRule
  readonly toSlug: TextRule
}

type Places = { readonly [name in keyof TextRules]: string }

/** `file#export`, from the root of the checkout. */
export const places: Places = {
  createRender: 'src/render/index.ts#createRender',
  filterContent: 'src/render/filter/filter.ts#filterContent',
  filterTitle: 'src/render/filter/filter.ts#filterTitle',
  paragraphs: 'src/render/text/paragraphs.ts#paragraphs',
  typeset: 'src/render/text/typography.ts#typeset',
  toSlug: 'src/site/slug.ts#toSlug',
}

export async function loadTextRules(folder: string, at: Places = places): Promise<TextRules> {
  const load = async (place: string) => {
    const [file = '', name = ''] = place.split('#')
    const { [name]: found } = (await import(new URL(file, pathToFileURL(`${folder}/`)).href)) as {
      [name: string]: unknown
    }
    if (typeof found !== 'function') throw new Error(`${folder}/${file} has no function ${name}`)
    return found
  }
  const loaded = Object.entries(at).map(async ([name, place]) => [name, await load(place)] as const)
  // The cast: the names are those of the table, and each was found to be a function.
  return Object.fromEntries(await Promise.all(loaded)) as unknown as TextRules
}

interface Post {
  readonly title: string
  readonly content: string
  readonly excerpt: string
}

/** Fills pages and posts with titles of 6 to 40 characters and contents of 100 to 600. */
export const samplePosts: readonly Post[] = readSample()

function readSample(): Post[] {
  const file = new URL('../docs/sample-site.json', import.meta.url)
  const { pages, posts } = JSON.parse(readFileSync(file, 'utf8')) as { [kind in 'pages' | 'posts']: Partial<Post>[] }
  return [...pages, ...posts].map(({ title = '', content = '', excerpt = '' }) => ({ title, content, excerpt }))
}

type Field = 'title' | 'content'

/** The texts that each rule is measured with. */
export const fieldOfRule = {
  title: 'title',
  'filter of titles': 'title',
  'typography of titles': 'title',
  slug: 'title',
  content: 'content',
  excerpt: 'content',
  'filter of contents': 'content',
  'typography of contents': 'content',
  paragraphs: 'content',
} as const satisfies { readonly [rule: string]: Field }

export type RuleName = keyof typeof fieldOfRule

export const ruleNames = Object.keys(fieldOfRule) as readonly RuleName[]

/** Each run goes once over the texts of all posts and gives their number of characters, so that no work is left out. */
export function runsOf(work: (rule: RuleName) => (post: Post) => number): {
  readonly [rule in RuleName]: () => number
} {
  const runs = ruleNames.map((rule) => {
    const once = work(rule)
    const run = () => {
      let sum = 0
      for (const post of samplePosts) sum += once(post)
      return sum
    }
    return [rule, run] as const
  })
  return Object.fromEntries(runs) as { readonly [rule in RuleName]: () => number }
}

export function runsOfRules(rules: TextRules): { readonly [rule in RuleName]: () => number } {
  const { title, content, excerpt } = rules.createRender()
  const { filterContent, filterTitle, paragraphs, typeset, toSlug } = rules
  const work: { readonly [rule in RuleName]: (post: Post) => number } = {
    title: (post) => title(post.title).length,
    'filter of titles': (post) => filterTitle(post.title).length,
    'typography of titles': (post) => typeset(post.title).length,
    slug: (post) => toSlug(post.title).length,
    content: (post) => content(post.content).length,
    excerpt: (post) => excerpt(post).length,
    'filter of contents': (post) => filterContent(post.content).length,
    'typography of contents': (post) => typeset(post.content).length,
    paragraphs: (post) => paragraphs(post.content).length,
  }
  return runsOf((rule) => work[rule])
}
