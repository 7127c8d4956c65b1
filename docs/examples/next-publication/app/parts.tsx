/** Draws parts that several pages share. */
import Link from 'next/link'
import { authorOf, dateOf, type Picture, type Post, pictureOf } from '../site/content'

/** Text of the API. */
export function Html({ html, className }: { readonly html: string; readonly className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the API has filtered what it renders
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}

export function Title({ html }: { readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the API has filtered what it renders
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}

/** A picture in the size that the browser needs; `sizes` is the attribute of that name. */
export function Photograph({ picture, sizes, eager }: PhotographProps) {
  const { alt_text, media_details, source_url } = picture
  const copies = Object.values(media_details.sizes ?? {}).filter(({ width }) => width >= 300)
  const srcSet = copies.map((copy) => `${copy.source_url} ${copy.width}w`).join(', ')
  return (
    // biome-ignore lint/performance/noImgElement: the API made the sizes
    <img
      src={source_url}
      alt={alt_text}
      {...(srcSet === '' ? {} : { srcSet, sizes })}
      width={media_details.width}
      height={media_details.height}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
    />
  )
}

interface PhotographProps {
  readonly picture: Picture
  readonly sizes: string
  readonly eager?: boolean
}

export function Byline({ post }: { readonly post: Post }) {
  return (
    <p className="byline">
      {authorOf(post) && <>{authorOf(post)} · </>}
      <time dateTime={post.date}>{dateOf(post.date)}</time>
    </p>
  )
}

export function PostCard({ post, isLead = false }: { readonly post: Post; readonly isLead?: boolean }) {
  const picture = pictureOf(post)
  return (
    <article className={isLead ? 'card lead' : 'card'}>
      {picture && (
        <div className="card-picture">
          <Photograph
            picture={picture}
            sizes={isLead ? '(min-width: 60rem) 40rem, 100vw' : '(min-width: 40rem) 22rem, 100vw'}
            eager={isLead}
          />
        </div>
      )}
      <div className="card-text">
        <h2>
          <Link href={`/${post.slug}`}>
            <Title html={post.title.rendered} />
          </Link>
        </h2>
        <Byline post={post} />
        <Html html={post.excerpt.rendered} className="excerpt" />
      </div>
    </article>
  )
}

interface PagerProps {
  readonly page: number
  readonly pages: number
  readonly path: string
}

export function Pager({ page, pages, path }: PagerProps) {
  if (pages <= 1) return null
  return (
    <nav aria-label="Pages" className="pager">
      {page > 1 ? (
        <Link href={page === 2 ? path : `${path}?page=${page - 1}`} rel="prev">
          ← Newer
        </Link>
      ) : (
        <span />
      )}
      <span aria-current="page">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link href={`${path}?page=${page + 1}`} rel="next">
          Older →
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}
