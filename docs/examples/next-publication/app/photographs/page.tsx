/** All pictures, and a form for whoever has signed in. */
import { cookies } from 'next/headers'
import { pageOf, pictures } from '../../site/content'
import { cookieName, userOf } from '../../site/session'
import { Pager, Photograph, Title } from '../parts'
import { UploadForm } from './upload-form'

export const metadata = { title: 'Photographs' }

interface Props {
  readonly searchParams: Promise<{ readonly page?: string | string[] }>
}

export default async function Page({ searchParams }: Props) {
  const page = pageOf((await searchParams).page)
  const { items, pages } = await pictures(page)
  const user = userOf((await cookies()).get(cookieName)?.value)
  return (
    <>
      <h1>Photographs</h1>
      {user !== null && <UploadForm />}
      <ul className="gallery">
        {items.map((picture) => (
          <li key={picture.id}>
            <figure>
              <Photograph picture={picture} sizes="(min-width: 60rem) 22rem, (min-width: 40rem) 45vw, 100vw" />
              <figcaption>
                <Title html={picture.title.rendered} />
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      <Pager page={page} pages={pages} path="/photographs" />
    </>
  )
}
