/** Which answers may be kept: see `Endpoint.keepsAnswers`. */
import type { Incoming } from './request.ts'

const unkept = new WeakSet<Incoming>()

/** Says that the answer to this request follows from more than the storage: the time, or another service. */
export const leaveUnkept = ({ incoming }: { readonly incoming: Incoming }): void => void unkept.add(incoming)

export const isUnkept = (incoming: Incoming): boolean => unkept.has(incoming)
