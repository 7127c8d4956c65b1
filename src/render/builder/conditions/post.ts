/**
 * Display conditions that compare the current post. Without a current post, a condition holds only if it requires an absent
 * value.
 */
import { isObject, ownValue, textOf } from '../document/values.ts'
import { resolveDynamic } from '../elements/dynamic-values.ts'
import type { Condition, ConditionContext } from '../pass/pass.ts'
import { currentPost, plainOf, termsOf, titleOf } from '../template-context/current-post.ts'
import { compareOrder, compareSets, compareTexts, listOf } from './compare.ts'

const text = ({ stored }: ConditionContext, ...names: readonly string[]): string =>
  names.map((name) => textOf(ownValue(stored, name))).find((value) => value !== '') ?? ''

export const postTitle: Condition = (context) => {
  const post = currentPost(context.scope, context.pass)
  const has = post ? plainOf(titleOf(post, context.pass)) : ''
  return compareTexts(context.comparator, has, text(context, 'title', 'value', 'post_title'))
}

export const dynamicTag: Condition = (context) => {
  const value = resolveDynamic(text(context, 'dynamic_tag'), context.pass, context.scope)
  const has = plainOf(textOf(isObject(value) ? ownValue(value, 'url') : value))
  return compareTexts(context.comparator, has, text(context, 'dynamic_tag_value'))
}

const inTerms =
  (taxonomy: string, setting: string): Condition =>
  ({ stored, comparator, pass, scope }) => {
    const post = currentPost(scope, pass)
    const has = post ? termsOf(post, pass, taxonomy).map(({ id }) => String(id)) : []
    return compareSets(comparator, has, listOf(ownValue(stored, setting)))
  }

export const inCategories = inTerms('category', 'categories')
export const inTags = inTerms('post_tag', 'tags')

export const postAuthor: Condition = ({ stored, comparator, pass, scope }) => {
  const author = currentPost(scope, pass)?.author ?? 0
  return compareSets(
    comparator,
    author > 0 ? [String(author)] : [],
    listOf(ownValue(stored, 'authors') ?? ownValue(stored, 'author')),
  )
}

export const pageParent: Condition = ({ stored, comparator, pass, scope }) => {
  const parent = currentPost(scope, pass)?.parent ?? 0
  return compareSets(
    comparator,
    parent > 0 ? [String(parent)] : [],
    listOf(ownValue(stored, 'parents') ?? ownValue(stored, 'parent') ?? ownValue(stored, 'pages')),
  )
}

export const featuredImage: Condition = ({ stored, comparator, pass, scope }) => {
  const post = currentPost(scope, pass)
  const isSet = post !== undefined && post.featuredMedia > 0 && pass.medium(post.featuredMedia) !== undefined
  if (comparator === 'is_empty') return !isSet
  if (comparator === 'is_not_empty') return isSet
  const wanted = textOf(ownValue(stored, 'featured_image')) || textOf(ownValue(stored, 'status'))
  const isWanted = (wanted !== 'not_set' && wanted !== 'no') === isSet
  return comparator === 'is_not' ? !isWanted : isWanted
}

export const publishDate: Condition = (context) => {
  const post = currentPost(context.scope, context.pass)
  const wanted = text(context, 'date', 'value')
  if (!post || wanted === '') return false
  const has = post.date.slice(0, Math.max(10, Math.min(wanted.length, 16))).replace(' ', 'T')
  const other = wanted.replace(' ', 'T').slice(0, 16)
  return compareOrder(context.comparator, has < other ? -1 : has > other ? 1 : 0)
}
