/** Shows the posts that a search finds, the best match first. */
import { foundPosts } from '../../site/content'
import { PostCard } from '../parts'

interface Props {
  readonly searchParams: Promise<{ readonly q?: string | string[] }>
}

const wordsOf = async ({ searchParams }: Props) => {
  const { q = '' } = await searchParams
  return (typeof q === 'string' ? q : '').trim()
}

export const generateMetadata = async (props: Props) => ({ title: `Search: ${await wordsOf(props)}` })

export default async function Page(props: Props) {
  const words = await wordsOf(props)
  const { items, total } = words === '' ? { items: [], total: 0 } : await foundPosts(words)
  return (
    <>
      <h1>{words === '' ? 'Search' : `Letters with “${words}”`}</h1>
      <p role="status">{total === 1 ? '1 letter was found.' : `${total} letters were found.`}</p>
      <div className="cards rows">
        {items.map((post) => (
          <PostCard key={post.id} post={post} />
        ))}
      </div>
    </>
  )
}
