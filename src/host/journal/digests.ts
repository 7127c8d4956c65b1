/** Digests of answers and of sites, in which secrets have no part. */
import type { AnswerDigest, SiteDigest } from './lines.ts'

type Digest = (text: string) => string

/** Members of an export that hold or follow from a secret, or from the time of a sign-in. */
const secretMembers: ReadonlySet<string> = new Set(['password_digest', 'application_passwords', 'password'])

export function siteDigest(site: object, sha256Of: Digest): SiteDigest {
  return Object.fromEntries(
    Object.entries(site).map(([part, value]) => [part, sha256Of(JSON.stringify(value, withoutSecrets)).slice(0, 16)]),
  )
}

const withoutSecrets = (name: string, value: unknown): unknown => (secretMembers.has(name) ? undefined : value)

const maxParts = 200

/** `secrets`: the members of these names are left out; undefined: the answer may show a secret, and has its names only. */
export function answerDigest(
  status: number,
  text: string | undefined,
  secrets: ReadonlySet<string> | undefined,
  sha256Of: Digest,
): AnswerDigest {
  if (text === undefined || secrets === undefined) return { status }
  const value = parsed(text)
  // The tags in the answer of a batch follow from whole records, also from their passwords.
  const kept = (member: string, one: unknown) => (secrets.has(member) || member === 'ETag' ? undefined : one)
  const digestOf = (part: unknown) => sha256Of(JSON.stringify(part, kept) ?? '').slice(0, 12)
  if (typeof value !== 'object' || value === null) return { status, digest: digestOf(value) }
  const parts = Object.entries(value)
    .filter(([name]) => !secrets.has(name))
    .slice(0, maxParts)
    .map(([name, part]) => [name, digestOf(part)])
  return { status, digest: digestOf(value), parts: Object.fromEntries(parts) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
