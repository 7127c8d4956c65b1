/** The built-in display conditions. Add a family here. */

import { ownValue, textOf } from '../document/values.ts'
import type { Condition, ConditionTable } from '../pass/pass.ts'
import { compareSets, compareTexts, listOf } from './compare.ts'
import {
  dynamicTag,
  featuredImage,
  inCategories,
  inTags,
  pageParent,
  postAuthor,
  postTitle,
  publishDate,
} from './post.ts'
import { currentDate, dayOfWeek, timeOfDay } from './time.ts'

// ---------------------------------------------------------------- conditions about the reader and the request

const loginStatus: Condition = ({ stored, comparator, pass }) => {
  const isLoggedIn = !pass.reader().isVisitor
  const isWanted = (ownValue(stored, 'status') === 'logged_in') === isLoggedIn
  return comparator === 'is_not' ? !isWanted : isWanted
}

const userRole: Condition = ({ stored, comparator, pass }) =>
  compareSets(comparator, pass.reader().user?.roles ?? [], listOf(ownValue(stored, 'roles')))

/** Compares the address of the referring page. */
const fromUrl: Condition = ({ stored, comparator, pass }) => {
  pass.depend('vary:request')
  const wanted = textOf(ownValue(stored, 'url')) || textOf(ownValue(stored, 'value'))
  return compareTexts(comparator, pass.context.referrer ?? '', wanted)
}

// ---------------------------------------------------------------- the table

export const builtInConditions: ConditionTable = {
  login_status: loginStatus,
  user_role: userRole,
  post_title: postTitle,
  dynamic_tags: dynamicTag,
  in_categories: inCategories,
  in_tags: inTags,
  post_author: postAuthor,
  page_parent: pageParent,
  featured_image: featuredImage,
  date_of_publish: publishDate,
  current_date: currentDate,
  day_of_the_week: dayOfWeek,
  time_of_the_day: timeOfDay,
  from_url: fromUrl,
}
