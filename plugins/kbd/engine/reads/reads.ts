/** All reads of boards. No statement here writes. */
import { type CardReads, createCardReads } from './card-reads.ts'
import { type CommandReads, createCommandReads } from './command-reads.ts'
import { type ConflictReads, createConflictReads } from './conflict-reads.ts'
import { type ContentReads, createContentReads } from './content-reads.ts'
import { createExchangeReads, type ExchangeReads } from './exchange-reads.ts'
import { createProjectReads, type ProjectReads } from './project-reads.ts'
import type { ReadParts } from './read-parts.ts'
import { createReadStatements } from './statements.ts'

/** The reads of boards. A project without commands has no heads. Project names are not checked here. */
export interface KbdReads extends ProjectReads, CardReads, ConflictReads, CommandReads, ExchangeReads, ContentReads {}

/** Makes the reads of a database. */
export function createReads(readParts: ReadParts): KbdReads {
  const parts = { ...readParts, statements: createReadStatements(readParts.sql) }
  return {
    ...createProjectReads(parts),
    ...createCardReads(parts),
    ...createConflictReads(parts),
    ...createCommandReads(parts),
    ...createExchangeReads(parts),
    ...createContentReads(parts),
  }
}
