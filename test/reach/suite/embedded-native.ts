/** The steps of `svc/embedded-native` with `svc/sign`, on a database of sql.js without WebAssembly. */
import { type EmbeddedLibrary, engineSteps, type Medium, type SignLibrary } from './embedded-engine.ts'
import type { Step } from './runner.ts'

/** The part of sql.js that the steps use. */
interface SqlJs {
  readonly Database: new () => {
    exec(sql: string): unknown
    run(sql: string, params: unknown[]): unknown
    prepare(sql: string, params: unknown[]): { step(): boolean; get(): unknown[]; free(): boolean }
  }
}

/** The steps, in their order. `startSqlJs` is the default export of the asm.js build of sql.js. */
export function nativeSteps(library: EmbeddedLibrary, sign: SignLibrary, startSqlJs: () => Promise<SqlJs>): Step[] {
  let sqlite: InstanceType<SqlJs['Database']>
  const medium: Medium = {
    full: false,
    async options(host) {
      sqlite ??= new (await startSqlJs()).Database()
      const database = {
        exec: (sql: string) => sqlite.exec(sql),
        run(sql: string, params: unknown[]) {
          if (medium.full && sql === 'COMMIT') throw new Error('database or disk is full')
          return sqlite.run(sql, params)
        },
        all(sql: string, params: unknown[]) {
          const statement = sqlite.prepare(sql, params)
          const rows: unknown[] = []
          try {
            while (statement.step()) rows.push(statement.get())
          } finally {
            statement.free()
          }
          return rows
        },
      }
      return { host, database }
    },
  }
  return engineSteps(library, sign, medium)
}
