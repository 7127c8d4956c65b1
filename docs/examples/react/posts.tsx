/** Lists, searches and writes posts with TanStack Query. Paths, arguments and answers have the types of the profile. */
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { full } from 'site-api'
import { type ClientOptions, createClient } from 'site-api/client'

const clientOf = (options: ClientOptions) => createClient<typeof full>(options).orThrow
type SiteClient = ReturnType<typeof clientOf>

const queries = new QueryClient()

/** `options` are those of the client: the address of the API, and the sign-in if it is not a cookie. */
export function App({ options }: { readonly options: ClientOptions }) {
  const [client] = useState(() => clientOf(options))
  return (
    <QueryClientProvider client={queries}>
      <NewPost client={client} />
      <Posts client={client} />
    </QueryClientProvider>
  )
}

/** One place for the key and the function of a query, so that both always belong together. */
const postsQuery = (client: SiteClient, search: string) => ({
  queryKey: ['posts', search],
  // The signal aborts a search that another one has replaced.
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const { data } = await client.get('/cms/v2/posts', { search, _fields: ['id', 'title.rendered'] }, { signal })
    return data
  },
})

function Posts({ client }: { readonly client: SiteClient }) {
  const [search, setSearch] = useState('')
  const { data, error } = useQuery(postsQuery(client, search))
  return (
    <section>
      <label>
        Search <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      </label>
      {error && <p role="alert">{error.message}</p>}
      <ul>
        {data?.map(({ id, title }) => (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered HTML is filtered
          <li key={id} dangerouslySetInnerHTML={{ __html: title.rendered }} />
        ))}
      </ul>
    </section>
  )
}

function NewPost({ client }: { readonly client: SiteClient }) {
  const known = useQueryClient()
  const writing = useMutation({
    mutationFn: (title: string) => client.post('/cms/v2/posts', { title, status: 'publish' }),
    // All lists of posts are asked for again, whatever their search is.
    onSuccess: () => known.invalidateQueries({ queryKey: ['posts'] }),
  })
  return (
    <form action={(form) => writing.mutate(`${form.get('title')}`)}>
      <label>
        Title <input name="title" required />
      </label>
      <button type="submit" disabled={writing.isPending}>
        Publish
      </button>
      {writing.error && <p role="alert">{writing.error.message}</p>}
    </form>
  )
}
