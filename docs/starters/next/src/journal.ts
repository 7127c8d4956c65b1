/** Reads what the React pages show. Answers are cached until the site says that they are out of date. */
import { unstable_cache } from 'next/cache'
import { draftMode } from 'next/headers'
import { api } from './site.ts'

const cached = { tags: ['site'], revalidate: 60 }

export const latestPosts = unstable_cache(
  async () => (await api.call('GET', '/cms/v2/posts', { per_page: 10 })).data,
  ['latest posts'],
  cached,
)

export const comingEvents = unstable_cache(
  async () => (await api.call('GET', '/cms/v2/events', { per_page: 5 })).data,
  ['coming events'],
  cached,
)

const published = unstable_cache(
  async (slug: string) => (await api.call('GET', '/cms/v2/posts', { slug: [slug], per_page: 1 })).data[0],
  ['post'],
  cached,
)

/** In draft mode the number of a post is enough, whatever its status is. */
export async function postOf(slug: string) {
  const { isEnabled } = await draftMode()
  if (!isEnabled || !/^\d+$/.test(slug)) return published(slug)
  const reader = await api.site.users.find({ login: 'ada' })
  return (await api.call('GET', '/cms/v2/posts/{id}', { id: Number(slug) }, { as: reader?.id })).data
}
