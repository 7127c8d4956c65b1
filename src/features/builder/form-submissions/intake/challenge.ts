/**
 * The challenge of the pages for whoever sends a form or a comment: a token that is signed for one form, good for an hour and for one
 * submission. A script proves that it has worked for the token; people without a script wait, and send once more.
 */
import { ApiError } from '../../../../core/declare/errors.ts'
import { randomToken, sameDigest, sha256Of, signatureOf } from '../../../../core/runtime/crypto.ts'

/** Names the form of a document that is sent, by its element, or the form for comments on the document. */
export interface ChallengedForm {
  readonly post: number
  readonly form: string
}

/** The name of the form for comments, of which each post has one. No element has it as its id. */
export const commentForm = 'comment form'

/** How a sender solves a challenge. */
export type ChallengeWay =
  /** A script finds a number that gives a digest with leading zeros. */
  | 'work'
  /** The sender waits. */
  | 'pause'

/** A challenge as the pages hand it out. */
export interface Challenge {
  readonly token: string
  /** How many leading bits of SHA-256 of `<token>.<proof>` are zero. 0: nothing has to be proved. */
  readonly bits: number
  /** How many milliseconds pass before the form is taken. */
  readonly wait: number
}

/** As sent; empty: nothing was. */
export interface SentProof {
  readonly token: string
  readonly proof: string
}

/** The field type of the challenge. */
export const builtInCaptcha = 'challenge'

export const captchaUnavailable = (kind: string): ApiError =>
  new ApiError('form_captcha_unavailable', `The form asks for ${kind}, which this site does not verify.`, 403)

/** On average 32,768 digests, which take a telephone about a second. */
const workBits = 15
const waits: { readonly [way in ChallengeWay]: number } = { work: 2000, pause: 3000 }
const lifetimeMs = 60 * 60 * 1000

export function issueChallenge(target: ChallengedForm, way: ChallengeWay, secret: string, now: number): Challenge {
  const head = `${way}.${randomToken().slice(0, 22)}.${now.toString(36)}`
  return challengeOf(`${head}.${signed(head, target, secret)}`, way, waits[way])
}

const challengeOf = (token: string, way: ChallengeWay, wait: number): Challenge => ({
  token,
  bits: way === 'work' ? workBits : 0,
  wait,
})

const signed = (head: string, { post, form }: ChallengedForm, secret: string): string =>
  signatureOf(`challenge ${head} ${post} ${form}`, secret)

type Judged =
  /** `id` is the same for each attempt to send the form. */
  | { readonly result: 'proved'; readonly id: string; readonly way: ChallengeWay }
  | { readonly result: 'failed' | 'expired' }
  | { readonly result: 'early'; readonly challenge: Challenge }

export function judgeProof({ token, proof }: SentProof, target: ChallengedForm, secret: string, now: number): Judged {
  const [, head = '', name, id = '', time = '', signature = ''] = tokenPattern.exec(token) ?? []
  if (!sameDigest(signature, signed(head, target, secret))) return { result: 'failed' }
  // The cast: the pattern has the two names.
  const way = name as ChallengeWay
  const age = now - Number.parseInt(time, 36)
  if (age > lifetimeMs) return { result: 'expired' }
  if (way === 'work' && !isWorked(token, proof)) return { result: 'failed' }
  const wait = waits[way] - age
  return wait > 0 ? { result: 'early', challenge: challengeOf(token, way, wait) } : { result: 'proved', id, way }
}

const tokenPattern = /^((work|pause)\.([\w-]{22})\.([0-9a-z]{1,11}))\.([\w-]{43})$/

function isWorked(token: string, proof: string): boolean {
  if (!/^\d{1,10}$/.test(proof)) return false
  const first = Number.parseInt(sha256Of(`${token}.${proof}`).slice(0, 8), 16)
  return Math.clz32(first) >= workBits
}
