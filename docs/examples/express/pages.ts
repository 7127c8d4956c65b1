/** The pages of this application. */
import type { Session } from './sessions.ts'

export interface ListedPost {
  readonly link: string
  readonly title: { readonly rendered: string }
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`

/** Rendered HTML is filtered. */
export const homePage = (posts: readonly ListedPost[], session: Session | undefined): string =>
  page(
    'Latest posts',
    `<ul>${posts.map(({ link, title }) => `<li><a href="${escaped(link)}">${title.rendered}</a></li>`).join('')}</ul>
    ${session ? desk(session) : '<p><a href="/sign-in">Sign in</a>'}`,
  )

/** The script needs no password and no token: the browser sends the cookie and the origin of the page. */
const desk = ({ login }: Session) => `
<form id="write"><label>Title <input name="title" required></label> <button>Publish</button></form>
<form method="post" action="/sign-out"><button>Sign out ${escaped(login)}</button></form>
<script type="module">
  const form = document.getElementById('write')
  form.onsubmit = async (event) => {
    event.preventDefault()
    const response = await fetch('/api/cms/v2/posts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: form.title.value, status: 'publish' }),
    })
    if (response.ok) location.reload()
    else alert((await response.json()).message)
  }
</script>`

export const signInPage = (complaint = ''): string =>
  page(
    'Sign in',
    `<p>${complaint}</p><form method="post">
<label>Login <input name="login" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>`,
  )
