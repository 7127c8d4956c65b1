/** Shows a post; in draft mode also a draft: see `app/draft/route.ts`. */
import { notFound } from 'next/navigation'
import { postOf } from '../../../journal.ts'

interface Props {
  readonly params: Promise<{ readonly slug: string }>
}

export default async function Page({ params }: Props) {
  const post = await postOf((await params).slug)
  if (!post) notFound()
  return (
    <article>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered HTML is filtered */}
      <h1 dangerouslySetInnerHTML={{ __html: post.title.rendered }} />
      {post.meta?.subtitle && <p className="subtitle">{post.meta.subtitle}</p>}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered HTML is filtered */}
      <div dangerouslySetInnerHTML={{ __html: post.content?.rendered ?? '' }} />
    </article>
  )
}
