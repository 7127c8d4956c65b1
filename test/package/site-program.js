/** Requests that reach what differs between runtimes: generated checks, digests, the page with a digest of its style. */
export const expected = [
  'list 200',
  'escaped path 200',
  'wrong argument 400',
  'visitor writes 401',
  'author writes 201',
  'wrong password 401',
  'author reads the draft 200',
  'consent page 200',
  'password digest scrypt',
]

export async function answersOf({ createSiteApi }, storage, profile) {
  const api = createSiteApi({ storage, profile, url: 'https://example.com' })
  const wren = await api.site.users.create({ login: 'wren', roles: ['author'], password: 'a long password of wren' })
  const { password } = await api.site.passwords.create(wren.id, 'check')
  const basic = (secret) => ({ authorization: `Basic ${btoa(`wren:${secret}`)}` })
  const send = async (path, { body, ...init } = {}) =>
    api.fetch(
      new Request(`https://example.com/api${path}`, {
        ...init,
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        headers: { ...init.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      }),
    )
  const draft = { title: 'High tide', tags: [], status: 'draft' }
  const made = await send('/cms/v2/posts', { body: draft, headers: basic(password) })
  const { id } = await made.json()
  const [user] = (await api.site.export()).users
  const answers = [
    `list ${(await send('/cms/v2/posts?per_page=5&orderby=title')).status}`,
    `escaped path ${(await send('/cms/v2/%50osts/')).status}`,
    `wrong argument ${(await send('/cms/v2/posts?per_page=1000')).status}`,
    `visitor writes ${(await send('/cms/v2/posts', { body: draft })).status}`,
    `author writes ${made.status}`,
    `wrong password ${(await send('/cms/v2/posts', { headers: basic('wrong') })).status}`,
    `author reads the draft ${(await send(`/cms/v2/posts/${id}?context=edit`, { headers: basic(password) })).status}`,
    `consent page ${(await send('/authorize?app_name=Check')).status}`,
    `password digest ${String(user?.password_digest ?? user?.password ?? '').split('$')[0]}`,
  ]
  await api.close()
  return answers
}
