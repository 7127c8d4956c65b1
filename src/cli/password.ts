/** `site-api password`: creates an application password and prints it. */
import { CliError, type Command, required } from './command.ts'
import { withSite } from './site.ts'

export const password: Command = {
  usage: 'password LOGIN --name APP --storage sqlite:FILE|postgres://...',
  summary: 'Give a user an application password and print it, once.',
  options: ['name', 'storage'],
  positionals: 1,
  async run(line) {
    const [login = ''] = line.positionals
    const name = required(line, 'name', '"My app"')
    const storage = required(line, 'storage', 'sqlite:site.db')
    const created = await withSite(storage, { mustExist: true }, async (site) => {
      const user = await site.users.find({ login })
      if (!user) throw new CliError(`nobody has the login ${login}`)
      return site.passwords.create(user.id, name)
    })
    process.stdout.write(`${created.password}\n`)
  },
}
