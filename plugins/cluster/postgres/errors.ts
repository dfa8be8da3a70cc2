import postgres from 'postgres'

/**
 * `away`: PostgreSQL cannot be reached. `refused`: it refused a statement that may succeed later. `fault`: the
 * statement is wrong.
 */
export type ErrorKind = 'away' | 'refused' | 'fault'

/** Why this program cannot use a database that answers. */
export class SchemaError extends Error {}

/** Earlier changes took too long, so this one was not begun. */
export class BusyError extends Error {}

/**
 * Classifies an error by the class of its SQLSTATE (PostgreSQL, appendix A). Errors without a SQLSTATE are those of the
 * connection. Away are 08 (connection) and 57P (the server stops or starts). Faults are 22 (data), 23 (constraints) and
 * 42 (names and types), except a missing permission and a missing table, which an operator can restore. All others are
 * refusals for reasons that pass: a database that only reads (25006), a full disk (53), a lock that was not free in
 * time (55P03), a cancelled statement (57014).
 */
export function kindOf(error: unknown): ErrorKind {
  if (error instanceof BusyError || error instanceof SchemaError) return 'refused'
  if (!(error instanceof postgres.PostgresError)) return 'away'
  if (/^(?:08|57P)/.test(error.code)) return 'away'
  return /^(?:22|23|42(?!501|P01))/.test(error.code) ? 'fault' : 'refused'
}
