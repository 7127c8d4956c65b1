/** The built-in display conditions. Add a family here. */
import type { ConditionTable } from '../engine/pass.ts'
import { loginStatus } from './reader.ts'

export const builtInConditions: ConditionTable = { login_status: loginStatus }
