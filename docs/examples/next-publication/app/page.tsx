/** The latest posts. */
import { latestPosts, pageOf } from '../site/content'
import { Pager, PostCard } from './parts'

interface Props {
  readonly searchParams: Promise<{ readonly page?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const page = pageOf((await searchParams).page)
  const { items, pages } = await latestPosts(page)
  const [first, ...others] = items
  return (
    <>
      <h1 className={page === 1 ? 'hidden' : ''}>{page === 1 ? 'Latest letters' : `Letters, page ${page}`}</h1>
      {first ? (
        <div className="cards">
          <PostCard post={first} isLead={page === 1} />
          {others.map((post) => (
            <PostCard key={post.id} post={post} />
          ))}
        </div>
      ) : (
        <p>There are no letters yet.</p>
      )}
      <Pager page={page} pages={pages} path="/" />
    </>
  )
}
