/** A post with its comments. */
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { type Comment, commentsOn, dateOf, pictureOf, plainText, postOf } from '../../site/content'
import { Byline, Html, Photograph, Title } from '../parts'
import { CommentForm } from './comment-form'

interface Props {
  readonly params: Promise<{ readonly slug: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const post = await postOf((await params).slug)
  return post ? { title: plainText(post.title.rendered), description: plainText(post.excerpt.rendered) } : {}
}

export default async function Page({ params }: Props) {
  const post = await postOf((await params).slug)
  if (!post) notFound()
  const picture = pictureOf(post)
  const comments = await commentsOn(post.id)
  return (
    <>
      <article className="column">
        <header>
          <h1>
            <Title html={post.title.rendered} />
          </h1>
          <Byline post={post} />
        </header>
        {picture && (
          <figure className="wide">
            <Photograph picture={picture} sizes="(min-width: 60rem) 56rem, 100vw" eager />
            {picture.caption.rendered !== '' && (
              <figcaption>
                <Html html={picture.caption.rendered} />
              </figcaption>
            )}
          </figure>
        )}
        {post.content.protected ? (
          <p>A password protects this letter.</p>
        ) : (
          <Html html={post.content.rendered} className="text" />
        )}
      </article>
      <section className="column comments" aria-labelledby="comments">
        <h2 id="comments">{comments.total === 1 ? '1 comment' : `${comments.total} comments`}</h2>
        <Thread comments={comments.items} parent={0} />
        {post.comment_status === 'open' ? <CommentForm post={post.id} /> : <p>Comments are closed.</p>}
      </section>
    </>
  )
}

function Thread({ comments, parent }: { readonly comments: readonly Comment[]; readonly parent: number }) {
  const own = comments.filter((comment) => comment.parent === parent)
  if (own.length === 0) return null
  return (
    <ol className="thread">
      {own.map((comment) => (
        <li key={comment.id}>
          <article>
            <p className="byline">
              <strong>{comment.author_name}</strong> · <time dateTime={comment.date}>{dateOf(comment.date)}</time>
            </p>
            <Html html={comment.content.rendered} />
          </article>
          <Thread comments={comments} parent={comment.id} />
        </li>
      ))}
    </ol>
  )
}
