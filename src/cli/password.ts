/** `site-api password`: a new application password, shown once. */
import { CliError, type Command, required } from './command.ts'
import { withSite } from './site.ts'

export const password: Command = {
  usage: 'password LOGIN --name APP --storage sqlite:FILE|postgres://...',
  summary: 'Give a user an application password and print it, once.',
  options: ['name', 'storage'],
  positionals: 1,
  async run(given) {
    const [login = ''] = given.positionals
    const name = required(given, 'name', '"My app"')
    const storage = required(given, 'storage', 'sqlite:site.db')
    const made = await withSite(storage, { mustExist: true }, async (site) => {
      const user = await site.users.find({ login })
      if (!user) throw new CliError(`nobody has the login ${login}`)
      return site.passwords.create(user.id, name)
    })
    process.stdout.write(`${made.password}\n`)
  },
}
