/** The latest posts. Made once and kept, until an event in `site/api.ts` says that it is out of date. */
import { api } from '../site/api'

interface Post {
  readonly id: number
  readonly link: string
  readonly title: { readonly rendered: string }
}

export default async function Page() {
  const { data: posts } = await api.call<readonly Post[]>('GET', '/cms/v2/posts', { per_page: 10 })
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
