/**
 * A PostgreSQL database behind the session of a host: adds to it the schema and its migrations, the lock for writes, the tokens of
 * changes, and savepoints before statements that may conflict. It sends one statement at a time.
 */
import type { Changes, MaybePromise } from '../../../contract/storage.ts'
import type { Row, SqlValue } from '../engine/fragments.ts'
import type { Insertion } from '../engine/session.ts'
import type { BeginOptions, SqlSession, SqlStatement, SqlTransaction, Written } from '../engine/sql-session.ts'
import { postgresDialect, type SearchSupport } from './dialect.ts'
import { DrivenTransaction } from './driven-transaction.ts'
import { postgresFailure } from './errors.ts'
import {
  advisoryLockKeys,
  assertKnownVersion,
  assertSchemaVersion,
  createSearchIndex,
  ensureIndexes,
  migrate,
  quoteIdentifier,
  type SchemaConnection,
  searchSupport,
} from './migrate.ts'
import { createCached, readTokens } from './read-tokens.ts'
import { createServerStatements, insertParts, plainStatement, type ServerStatement } from './statements.ts'
import { marksOf } from './transaction-texts.ts'

export interface DrivenOptions {
  readonly schema: string
  readonly searchIndex: boolean
  readonly migrate: boolean
  readonly onStatement?: ((sql: string) => void) | undefined
}

/** How long a transaction waits for those of other processes, and they for its next statement. */
const PATIENCE_MS = 15_000

const asSent = (statement: ServerStatement, values: readonly SqlValue[] = []): SqlStatement => ({
  text: statement.text,
  values: statement.bind(values),
  name: statement.name,
})

export class DrivenPostgres implements SqlSession {
  readonly isAsync = true
  readonly hasOneConnection: boolean
  readonly #driver: SqlSession
  readonly #options: DrivenOptions
  readonly #name: { readonly schema: string; readonly quotedSchema: string }
  readonly #support: SearchSupport = { searchIndex: 'none' }
  readonly dialect = postgresDialect(this.#support)
  readonly #statements
  readonly #beginning: readonly SqlStatement[]
  readonly #version: SqlStatement
  readonly #marks
  readonly cached = createCached((statement) => this.all(statement))
  #opened: Promise<void> | undefined

  constructor(driver: SqlSession, options: DrivenOptions) {
    this.#driver = driver
    this.#options = options
    this.hasOneConnection = driver.hasOneConnection === true
    const { schema } = options
    const quotedSchema = quoteIdentifier(schema)
    this.#name = { schema, quotedSchema }
    this.#statements = createServerStatements(quotedSchema)
    this.#marks = marksOf(quotedSchema)
    const lock = plainStatement(`select pg_advisory_xact_lock(${advisoryLockKeys(schema)})`)
    // One connection waits for no other.
    const beginning = this.hasOneConnection ? [lock] : [patience, lock]
    this.#beginning = beginning.map((statement) => asSent(statement))
    this.#version = asSent(plainStatement(`select max(version) from ${quotedSchema}.schema_versions`))
  }

  /** After a failure the next use tries again. */
  open(): Promise<void> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined
      throw postgresFailure(error)
    })
    return this.#opened
  }

  async #open(): Promise<void> {
    await this.#driver.open?.()
    const connection = this.#schemaConnection()
    if (this.#options.migrate) await migrate(connection, this.#name)
    else await assertSchemaVersion(connection, this.#name)
    if (!this.#options.searchIndex) return
    if (this.#options.migrate) await createSearchIndex(connection, this.#name)
    this.#support.searchIndex = await searchSupport(connection, this.#name)
  }

  close(): MaybePromise<void> {
    return this.#driver.close?.()
  }

  async all({ text, values }: SqlStatement): Promise<readonly Row[]> {
    await this.open()
    this.#options.onStatement?.(text)
    try {
      return await this.#driver.all(asSent(this.#statements.of(text), values))
    } catch (error) {
      throw postgresFailure(error)
    }
  }

  async readChanges(): Promise<Changes> {
    const [row] = await this.all(readTokens)
    return { all: String(row?.[0]), options: String(row?.[1]) }
  }

  async begin(options: BeginOptions): Promise<SqlTransaction> {
    await this.open()
    const transaction = await this.#beginOn(options)
    try {
      for (const statement of this.#beginning) await transaction.all(statement)
      const [row] = await transaction.all(this.#version)
      // A newer version of the package may have migrated the schema since; then this process writes no more.
      assertKnownVersion(Number(row?.[0] ?? 0))
    } catch (error) {
      await transaction.rollback()
      throw error
    }
    return {
      all: (statement) => this.#run(statement, (converted) => transaction.all(converted, converted.mayConflict)),
      run: (statement) => this.#run(statement, (converted) => transaction.run(converted, converted.mayConflict)),
      insert: (insertion) => this.#insert(transaction, insertion),
      savepoints: transaction.savepoints,
      createIndexes: (statements) =>
        ensureIndexes(this.#schemaConnection(transaction), statements, { ...this.#options, ...this.#name }),
      get retryError() {
        return transaction.retryError
      },
      ...(transaction.lost && { lost: transaction.lost }),
      commit: (written) => this.#commit(transaction, written),
      rollback: () => transaction.rollback(),
    }
  }

  async #beginOn(options: BeginOptions): Promise<DrivenTransaction> {
    try {
      return new DrivenTransaction(await this.#driver.begin(options))
    } catch (error) {
      throw postgresFailure(error)
    }
  }

  #run<T>(
    { text, values }: SqlStatement,
    run: (statement: SqlStatement & { readonly mayConflict: boolean }) => Promise<T>,
  ): Promise<T> {
    this.#options.onStatement?.(text)
    const converted = this.#statements.of(text)
    return run({ ...asSent(converted, values), mayConflict: converted.mayConflict })
  }

  async #insert(transaction: DrivenTransaction, insertion: Insertion): Promise<number[]> {
    const ids: number[] = []
    const converted = this.#statements.insertOf(insertion)
    this.#options.onStatement?.(converted.text)
    for (const part of insertParts(insertion.rows)) {
      const rows = await transaction.all(asSent(converted, part.flat()), true)
      for (const [id] of rows) ids.push(Number(id))
    }
    return ids
  }

  async #commit(transaction: DrivenTransaction, { anything, options }: Written): Promise<void> {
    const mark = options ? this.#marks.options : this.#marks.others
    if (anything) await transaction.run(asSent(mark))
    await transaction.commit({ anything, options })
  }

  /** Makes tables; in `running`, or in a transaction for each part. */
  #schemaConnection(running?: DrivenTransaction): SchemaConnection {
    let transaction = running
    const query = async (text: string, values: readonly SqlValue[] = []) => {
      const statement = { text, values, name: '' }
      return transaction === undefined ? this.#driver.all(statement) : transaction.all(statement)
    }
    return {
      query,
      scripts: async (texts) => {
        for (const text of texts) await query(text)
      },
      transaction: async (work) => {
        transaction = await this.#beginOn({ askedAt: Date.now(), isShared: false })
        try {
          for (const statement of this.#beginning) await transaction.all(statement)
          const value = await work()
          await transaction.commit({ anything: true, options: true })
          return value
        } catch (error) {
          await transaction.rollback()
          throw error
        } finally {
          transaction = undefined
        }
      },
      rollback: async () => transaction?.rollback(),
    }
  }
}

/** The server ends a transaction whose process went away or is silent. */
const patience = plainStatement(
  `select set_config('lock_timeout', '${PATIENCE_MS}', true), set_config('idle_in_transaction_session_timeout', '${PATIENCE_MS}', true)`,
)
