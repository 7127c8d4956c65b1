/** `site-api user`: lists the users, creates one, or changes role and password of one. */
import { newApplicationPassword } from '../core/runtime/crypto.ts'
import type { ManagedSite } from '../management/index.ts'
import type { SiteMember } from '../management/users.ts'
import {
  CliError,
  type Command,
  type CommandLine,
  dryRunOption,
  isDryRun,
  required,
  storageOption,
  UsageError,
} from './command.ts'
import { withSite } from './site.ts'
import { isMemory } from './storage.ts'

export const user: Command = {
  name: 'user',
  takes: '[LOGIN]',
  summary: 'List the users; with LOGIN make one, or give one another role.',
  options: {
    storage: storageOption,
    'dry-run': dryRunOption,
    role: { value: 'ROLE', says: 'The role of the user, such as editor' },
    email: { value: 'ADDRESS', says: 'The e-mail address of the user' },
    password: { says: 'Make a password to sign in with, and print it' },
  },
  positionals: [0, 1],
  examples: ['user ada --role administrator --password --storage sqlite:site.db', 'user --storage sqlite:site.db'],
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory ends with this command: use --storage sqlite:FILE')
    const [login] = line.positionals
    const lines = await withSite(storage, { mustExist: login === undefined, isDryRun: isDryRun(line) }, (site) =>
      login === undefined ? listed(site) : write(site, login, line),
    )
    process.stdout.write(lines.map((text) => `${text}\n`).join(''))
  },
}

async function listed(site: ManagedSite): Promise<string[]> {
  const members = await site.users.list()
  return members.length > 0
    ? members.map(shownMember)
    : ['there are no users: site-api user LOGIN --role ROLE makes one']
}

const shownMember = ({ id, login, email, roles, blocked }: SiteMember) =>
  [id, login, email || '-', roles.join(',') || '-', ...(blocked ? ['blocked'] : [])].join('\t')

async function write({ users }: ManagedSite, login: string, { options }: CommandLine): Promise<string[]> {
  const { role, email } = options
  const secret = options['password'] === undefined ? undefined : newApplicationPassword().slice(0, 16)
  const values = {
    ...(role === undefined ? {} : { roles: [role] }),
    ...(email === undefined ? {} : { email }),
    ...(secret === undefined ? {} : { password: secret }),
  }
  const found = await users.find({ login })
  if (!found && role === undefined) {
    throw new UsageError(`there is no user ${login}: add --role administrator, or another role, to make one`)
  }
  if (found && Object.keys(values).length === 0) return [shownMember(found)]
  const member = await orExplain(login, found ? users.update(found.id, values) : users.create({ login, ...values }))
  const done = `${found ? 'changed' : 'made'} user ${member.login} (${member.roles.join(', ')})`
  // The password of a dry run opens nothing.
  return secret === undefined || isDryRun({ options }) ? [done] : [done, `password: ${secret}`]
}

/** Unknown roles and values of other users become one line. */
async function orExplain(login: string, work: Promise<SiteMember>): Promise<SiteMember> {
  try {
    return await work
  } catch (error) {
    const { code, field } = error as { readonly code?: unknown; readonly field?: unknown }
    if (code === 'storage_conflict') throw new CliError(`another user has the ${field} of ${login}: choose another`)
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}
