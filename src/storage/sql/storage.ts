/** The stores of one session as a storage. */
import type { Storage } from '../contract.ts'
import { metaStore } from './meta.ts'
import { optionStore } from './options.ts'
import { postStore } from './posts.ts'
import { recordStore } from './records.ts'
import type { Session } from './session.ts'
import type { Statements } from './statements.ts'
import { termStore } from './terms.ts'
import { userStore } from './users.ts'

export function storesOn(statements: Statements, session: Session): Storage {
  return {
    posts: postStore(statements, session),
    terms: termStore(statements, session),
    users: userStore(statements, session),
    meta: metaStore(statements, session),
    options: optionStore(statements, session),
    records: recordStore(statements, session),
    atomic: (work) => session.atomic((inside) => work(storesOn(statements, inside))),
  }
}
