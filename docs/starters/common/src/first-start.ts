/** Fills the site at its first start, from the documents in the folder `seed`. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, data, url } from './site.ts'

/** An administrator of the documents. */
const login = 'ada'

export async function fillEmptySite(): Promise<void> {
  if (!(await api.site.isEmpty())) return
  if (existsSync('seed/uploads')) cpSync('seed/uploads', join(data, 'uploads'), { recursive: true })
  const documents = readdirSync('seed').filter((file) => file.endsWith('.json'))
  await api.site.seed(
    documents.sort().map((file) => JSON.parse(readFileSync(join('seed', file), 'utf8'))),
    { baseUrl: url },
  )
  const user = await api.site.users.find({ login })
  if (!user) throw new Error(`seed/ has no user ${login}`)
  const { password } = await api.site.passwords.create(user.id, 'first start')
  console.log(`the site is new: clients sign in as ${login} with ${password}`)
}
