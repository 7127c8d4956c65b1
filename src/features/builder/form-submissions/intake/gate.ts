/** Decides which senders of forms and comments have to solve a challenge, and judges what they bring. */
import { ApiError } from '../../../../core/declare/errors.ts'
import { networkOf, type TokenBuckets, tokenBuckets } from '../../../../services/rate-limit.ts'
import {
  type Challenge,
  type ChallengedForm,
  type ChallengeWay,
  commentForm,
  issueChallenge,
  judgeProof,
  type SentProof,
} from './challenge.ts'

/** Says who solves a challenge: all senders; those to a form that gets many; only those to a form with such a field. */
export type ChallengeDemand = boolean | 'when-busy'

/** The demands on senders of built forms, and on those of comments. */
export interface ChallengeDemands {
  readonly forms: ChallengeDemand
  readonly comments: ChallengeDemand
}

interface GateOptions {
  readonly demands: ChallengeDemands
  /** The secret of the site. */
  readonly secret: () => Promise<string>
  readonly clock: () => number
}

/** The proof that came with a form, and the form. */
export interface Sending extends SentProof {
  readonly target: ChallengedForm
  /** The address of the sender, where it is known. */
  readonly address: string | undefined
  /** How the sender could solve a challenge: one that reads JSON by work. */
  readonly way: ChallengeWay
}

export class ChallengeGate {
  readonly #demands: ChallengeDemands
  readonly #secret: () => Promise<string>
  readonly #clock: () => number
  /** Counts what each form takes without a challenge. */
  readonly #unproved: TokenBuckets
  /** Count how often senders without a script have waited. */
  readonly #pauses: TokenBuckets
  readonly #pausesOfAll: TokenBuckets

  constructor({ demands, secret, clock }: GateOptions) {
    this.#demands = demands
    this.#secret = secret
    this.#clock = clock
    this.#unproved = tokenBuckets({ capacity: 20, perMinute: 0.5, clock })
    this.#pauses = tokenBuckets({ capacity: 5, perMinute: 1, clock })
    this.#pausesOfAll = tokenBuckets({ capacity: 30, perMinute: 6, clock })
  }

  async issue(target: ChallengedForm, way: ChallengeWay): Promise<Challenge> {
    return issueChallenge(target, way, await this.#secret(), this.#clock())
  }

  /**
   * Returns the id of the solved challenge, under which the form is taken once; undefined without one. Throws 403 for a wrong one,
   * and for none where one is demanded; 429 for a sender who waits too often.
   */
  async admit(sending: Sending): Promise<string | undefined> {
    const { target, token } = sending
    if (token !== '') return this.#prove(sending)
    const demand = this.#demands[target.form === commentForm ? 'comments' : 'forms']
    const isDemanded = demand === 'when-busy' ? this.#unproved.take(`${target.post} ${target.form}`) > 0 : demand
    if (isDemanded) throw await this.refusal('required', sending)
    return undefined
  }

  /** The error for a form that needs a challenge, with one that the sender may solve. */
  async refusal(reason: keyof typeof sentences, { target, way }: Sending): Promise<ApiError> {
    return refusalWith(reason, await this.issue(target, way))
  }

  async #prove(sending: Sending): Promise<string> {
    const judged = judgeProof(sending, sending.target, await this.#secret(), this.#clock())
    if (judged.result === 'early') throw refusalWith('early', judged.challenge)
    if (judged.result !== 'proved') throw await this.refusal(judged.result, sending)
    if (judged.way === 'pause') this.#takePause(sending)
    return judged.id
  }

  #takePause({ address }: Sending): void {
    const seconds = address === undefined ? this.#pausesOfAll.take('all') : this.#pauses.take(networkOf(address))
    if (seconds > 0)
      throw new ApiError('rest_too_many_requests', 'Too many forms were sent.', 429, { retry_after: seconds })
  }
}

const sentences = {
  required: 'The form asks for a proof that no program fills it.',
  failed: 'The proof does not belong to this form.',
  expired: 'The proof is too old.',
  early: 'The form was sent faster than people write.',
  used: 'The proof was used for another submission.',
}

const refusalWith = (reason: keyof typeof sentences, challenge: Challenge): ApiError =>
  new ApiError(`form_challenge_${reason}`, sentences[reason], 403, { challenge: { ...challenge } })
