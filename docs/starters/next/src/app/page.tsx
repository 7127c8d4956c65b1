/** The front page: the latest posts, and the events. */
import { comingEvents, latestPosts } from '../journal.ts'

// The data is cached, see journal.ts.
export const dynamic = 'force-dynamic'

export default async function Page() {
  const [posts, events] = await Promise.all([latestPosts(), comingEvents()])
  return (
    <>
      <h1>Latest posts</h1>
      <ul>
        {posts.map(({ id, slug, title, meta }) => (
          <li key={id}>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered HTML is filtered */}
            <a href={`/journal/${slug}`} dangerouslySetInnerHTML={{ __html: title.rendered }} />
            {meta?.subtitle && <p>{meta.subtitle}</p>}
          </li>
        ))}
      </ul>
      {events.length > 0 && (
        <>
          <h2>Events</h2>
          <ul>
            {events.map(({ id, link, title, meta }) => (
              <li key={id}>
                {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered HTML is filtered */}
                <a href={link} dangerouslySetInnerHTML={{ __html: title.rendered }} />
                {meta?.place && <p>{meta.place}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
