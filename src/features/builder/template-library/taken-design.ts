/** Records how the classes and variables of a file were taken, and reports those that were not. */
import type { Context } from '../../../core/declare/context.ts'
import { warn } from '../../../core/declare/result.ts'

export type DesignContext = Pick<Context, 'storage' | 'app' | 'user' | 'emit' | 'warnings'>

export type Ids = ReadonlyMap<string, string | undefined>

/** Lists how the classes or the variables of a file were taken. */
export interface Taken<T> {
  /** By the id in the file. Undefined: the reference is removed, since the site has another row of this id. */
  readonly ids: Map<string, string | undefined>
  readonly added: T[]
  /** Says why, by the id in the file. */
  readonly refused: Map<string, string>
}

export const nothingTaken = <T>(): Taken<T> => ({ ids: new Map(), added: [], refused: new Map() })

export const reportLeftOut = (context: DesignContext, param: string, id: string, why: string) =>
  warn(context, {
    code: 'design_left_out',
    message: `${id} of the file was left out: ${why}.`,
    param: `${param}.${id}`,
  })
