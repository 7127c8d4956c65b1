/** `site-api password`: creates an application password and prints it. */
import { CliError, type Command, dryRunOption, isDryRun, required, storageOption } from './command.ts'
import { withSite } from './site.ts'

export const password: Command = {
  name: 'password',
  takes: 'LOGIN',
  summary: 'Give a user an application password and print it, once.',
  options: {
    name: { value: 'APP', says: 'The name of the application that signs in with it', isRequired: true },
    storage: storageOption,
    'dry-run': dryRunOption,
  },
  positionals: 1,
  examples: ["password ada --name 'My client' --storage sqlite:site.db"],
  async run(line) {
    const [login = ''] = line.positionals
    const name = required(line, 'name', '"My app"')
    const storage = required(line, 'storage', 'sqlite:site.db')
    const created = await withSite(storage, { mustExist: true, isDryRun: isDryRun(line) }, async (site) => {
      const user = await site.users.find({ login })
      if (!user) throw new CliError(`nobody has the login ${login}`)
      return site.passwords.create(user.id, name)
    })
    // The password of a dry run opens nothing.
    if (!isDryRun(line)) process.stdout.write(`${created.password}\n`)
  },
}
