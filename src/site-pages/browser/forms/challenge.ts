/** Solves the challenge of a form: in a worker, while somebody fills the form. */
import { words } from './words.ts'

/** A challenge as the server hands it out. */
export interface Challenge {
  readonly token: string
  readonly bits: number
  /** The milliseconds before which the server takes nothing. */
  readonly wait: number
}

type Fields = readonly (readonly [name: string, value: string])[]

const solving = new WeakMap<HTMLFormElement, Promise<Fields>>()

/** Fetches a challenge and solves it, as soon as somebody is in the form. */
export function startChallenge(form: HTMLFormElement, post: string, name: string): void {
  form.addEventListener('focusin', () => {
    if (solving.has(form)) return
    const address = `${words('challengeAt')}?${new URLSearchParams({ post, form: name })}`
    const fetched = fetch(address).then((response): Promise<Challenge> => response.json())
    keep(
      form,
      fetched.then((challenge) => solve(challenge)),
    )
  })
}

/** Solves a challenge that came with a refusal. */
export const solveFor = (form: HTMLFormElement, challenge: Challenge): void => keep(form, solve(challenge))

function keep(form: HTMLFormElement, solved: Promise<Fields>): void {
  solving.set(form, solved)
  // Without a proof the server refuses the form, and says what can be done.
  solved.catch(() => solving.delete(form))
}

/** The fields that prove it; none for a form without a challenge. Say `used` when the form was taken. */
export const proofOf = async (form: HTMLFormElement): Promise<Fields> => (await solving.get(form)) ?? []
export const used = (form: HTMLFormElement): boolean => solving.delete(form)

async function solve({ token, bits, wait }: Challenge): Promise<Fields> {
  const [proof] = await Promise.all([bits > 0 ? work(token, bits) : 0, new Promise((done) => setTimeout(done, wait))])
  return [
    ['challenge_token', token],
    ['challenge_proof', String(proof)],
  ]
}

function work(token: string, bits: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(words('worker'))
    worker.onmessage = ({ data }) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = reject
    worker.postMessage([token, bits])
  })
}
