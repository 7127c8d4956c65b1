/** The latest posts. Made once and kept, until something changes that it is made from. */
import { unstable_cache } from 'next/cache'
import { tagPage } from 'site-api/next'
import { api } from '../site/api'

interface Post {
  readonly id: number
  readonly link: string
  readonly title: { readonly rendered: string }
}

export default async function Page() {
  const answer = await api.call<readonly Post[]>('GET', '/cms/v2/posts', { per_page: 10 })
  await tagPage(unstable_cache, answer)
  const posts = answer.data
  return (
    <main>
      <h1>Latest posts</h1>
      <ul>
        {posts.map(({ id, link, title }) => (
          <li key={id}>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: what the service renders is filtered HTML */}
            <a href={link} dangerouslySetInnerHTML={{ __html: title.rendered }} />
          </li>
        ))}
      </ul>
    </main>
  )
}
