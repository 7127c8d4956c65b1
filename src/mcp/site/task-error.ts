/** The error of a task, and the values that tasks take from agents and from the service. */

export interface Values {
  readonly [name: string]: unknown
}

/** An error that the agent reads and can mend. */
export class TaskError extends Error {
  readonly code: string
  readonly status: number
  readonly params: Values | undefined

  constructor(code: string, message: string, status = 400, params?: Values) {
    super(message)
    this.code = code
    this.status = status
    this.params = params
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
