/** Converts the authors of the file to users of a site document. */
import type { SiteUser } from '../../transfer/document.ts'
import type { FileRecord } from '../reader.ts'

export interface ImportedUser {
  readonly entry: SiteUser
  /** The file's id; 0: none. */
  readonly number: number
  readonly line: number
  /** False: only an item names the login. */
  readonly isDeclared: boolean
}

/** Undefined for an author without a login. */
export function userEntry({ fields, line, meta }: FileRecord): ImportedUser | undefined {
  const text = (name: string) => (fields[name] ?? '').trim()
  const login = text('wp:author_login')
  if (login === '') return undefined
  const name = text('wp:author_display_name') || login
  const entry = { key: login, login, display_name: name, email: text('wp:author_email'), role: 'author' }
  const number = Number(fields['wp:author_id']) || 0
  return { entry: { ...entry, ...siteMembers(fields, meta) }, number, line, isDeclared: true }
}

export const namedUser = (login: string, line: number): ImportedUser => ({
  entry: { key: login, login, display_name: login, role: 'author' },
  number: 0,
  line,
  isDeclared: false,
})

/** The members that only a running site has. */
function siteMembers(fields: FileRecord['fields'], meta: FileRecord['meta']): Partial<SiteUser> {
  const { 'rest:roles': roles, 'rest:url': url = '', 'rest:slug': slug, 'rest:registered': registered } = fields
  if (roles === undefined) return {}
  return {
    roles: roles.split(',').filter((role) => role !== ''),
    url,
    ...(slug ? { nicename: slug } : {}),
    ...(registered ? { registered: registered.slice(0, 19) } : {}),
    meta: Object.fromEntries(meta),
  }
}
