/** The response to a note says whom a mention does not reach; whom it reaches gets a mail. */
import { expect, test } from 'vitest'
import type { MailMessage } from '../../../../src/services/mail.ts'
import { openSite, root } from './fixture.ts'

const warningsOf = ({ _warnings = [] }: { readonly _warnings?: readonly { code: string; param: string }[] }) =>
  _warnings.map(({ code, param }) => [code, param])
const unread = (slug: string) => ['unread_mention', `mentioned_usernames.${slug}`]

test('warns of mentioned users who may not read the note, and of slugs that no user has', async () => {
  const { createNote, connie, grant } = await openSite()
  await grant('editor', [])
  const mentions = ['sam-subscriber', 'edith-editor', 'connie-contributor', 'someone-else']
  const { status, body } = await createNote(connie, { mentioned_usernames: mentions })
  expect(status).toBe(200)
  expect(warningsOf(body)).toEqual([unread('someone-else'), unread('edith-editor')])
  const change = async (names: readonly string[]) =>
    warningsOf((await connie('PATCH', `${root}/${body.data.id}`, { body: { mentioned_usernames: names } })).body)
  expect(await change(mentions)).toEqual([unread('someone-else')])
  expect(await change(['sam-subscriber'])).toEqual([])
  expect(await change(['edith-editor'])).toEqual([unread('edith-editor')])
})

test('mails a mentioned reader once, with the text of the note', async () => {
  const sent: MailMessage[] = []
  const site = await openSite({ services: { mail: { send: (message: MailMessage) => void sent.push(message) } } })
  const { createNote, connie, grant, api, doc } = site
  await grant('editor', [])
  const mentioned_usernames = ['sam-subscriber', 'edith-editor', 'connie-contributor']
  const content = 'Is "low" < high & tide\'s end?'
  const { body } = await createNote(connie, { content, mentioned_usernames })
  await connie('PATCH', `${root}/${body.data.id}`, { body: { content: 'Once more', mentioned_usernames } })
  await api.site.runDue()
  const { email } = (await api.site.users.find({ login: 'sam' })) ?? {}
  expect(sent.map(({ to }) => to)).toEqual([email])
  expect(sent[0]?.text).toContain(content)
  expect(sent[0]?.text).toContain(`/?p=${doc}`)
  expect(sent[0]?.subject).toContain('mentioned you')
})
