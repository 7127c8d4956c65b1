/** The built-in display conditions. Add a family here. */
import type { ConditionTable } from '../pass/pass.ts'
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
import { fromUrl, loginStatus, userRole } from './reader.ts'
import { currentDate, dayOfWeek, timeOfDay } from './time.ts'

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
