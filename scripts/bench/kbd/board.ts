/** A board in this process, on Node's SQLite: the ledger of the service without its transport. */

import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Applied, Command, CommandEnvelope } from '../../../plugins/kbd/api.ts'
import { createAuditChain } from '../../../plugins/kbd/engine/audit/audit-chain.ts'
import type { Codecs } from '../../../plugins/kbd/engine/codecs.ts'
import { createKbdLedger, type KbdLedger, type ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { defaultLimits } from '../../../plugins/kbd/engine/limits.ts'
import { BOARD_SCHEMA } from '../../../plugins/kbd/engine/migrations.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { fromBase64, toBase64 } from '../../../plugins/protocol/codecs.ts'
import type { StoreDriver } from '../../../plugins/store/api.ts'
import { PRAGMAS } from '../../../plugins/sync/store-sqlite/open-file.ts'
import { toDriver } from '../../../plugins/sync/store-sqlite/sqlite-driver.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
/** The codecs of the service. */
export const codecs: Codecs = { sha256, canonicalText, toBase64, fromBase64 }

/** Converts a number to a UUID. */
function uuid(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
}

/** A signed command: as sent, as verified, and as the ledger expects it. */
export interface SignedCommand extends ProvenCommand {
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

/** A device that signs commands. */
export interface Device {
  readonly publicKey: KeyObject
  readonly keyId: string
  /** The private key in PKCS#8 PEM. */
  readonly privatePem: string
  sign(command: Command, parents: readonly string[], project?: string): SignedCommand
}

/** Creates a device. Its commands are numbered, so that each has a different id. */
export function createDevice(): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyId = `ed25519:${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')}`
  let count = 0
  return {
    publicKey,
    keyId,
    privatePem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    sign(command, parents, project = 'bench') {
      const shape = {
        schemaVersion: '2' as const,
        commandId: uuid(0x1000_0000 + count++),
        domain: `kbd-control:${project}`,
        expectedFrontier: { heads: [...parents].sort() },
        concurrency: 'merge' as const,
        command,
        issuedAtMs: Date.now(),
        signerKeyId: keyId,
      }
      const signed = Buffer.from(canonicalText(shape))
      const signature = sign(null, signed, privateKey)
      const envelope: CommandEnvelope = { ...shape, signature: signature.toString('base64') }
      return { id: sha256(signed), project, envelope, text: canonicalText(envelope), signed, signature }
    },
  }
}

/** Whether a device signed a command. */
export function isSignedBy(device: Device, { signed, signature }: SignedCommand): boolean {
  return verify(null, signed, device.publicKey, signature)
}

/** A measured board. */
export interface Board {
  readonly ledger: KbdLedger
  readonly driver: StoreDriver
  /** Adds commands in one transaction. */
  add(commands: readonly SignedCommand[]): void
  close(): void
}

/** Opens a board; the default is a board in memory. `watch` wraps the driver before the ledger uses it. */
export function openBoard(
  file = ':memory:',
  watch: (driver: StoreDriver) => StoreDriver = (driver) => driver,
  onApplied?: (applied: Applied) => void,
): Board {
  const database = new DatabaseSync(file)
  if (file !== ':memory:') database.exec(PRAGMAS)
  const table = database.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'kbd_projects'").get()
  if (table?.['count'] === 0) database.exec(BOARD_SCHEMA)
  const driver = watch(toDriver(database))
  const audit = createAuditChain({ driver, ...codecs })
  const ledger = createKbdLedger({ driver, codecs, limits: defaultLimits, audit, onApplied })
  return {
    ledger,
    driver,
    add(commands) {
      driver.exec('BEGIN IMMEDIATE')
      for (const command of commands) ledger.enter(command, Date.now())
      driver.exec('COMMIT')
    },
    close: () => database.close(),
  }
}

/** The commands that create a board with one column and a number of cards. */
export function* setup(cards: number): Generator<Command> {
  yield { type: 'board.create', boardId: uuid(1), title: 'Board' }
  yield { type: 'column.create', boardId: uuid(1), columnId: uuid(2), title: 'Column', rank: 'a' }
  for (let n = 0; n < cards; n++) {
    yield {
      type: 'card.create',
      cardId: uuid(100 + n),
      boardId: uuid(1),
      columnId: uuid(2),
      rank: `a${(n + 1).toString(36).padStart(5, '0')}1`,
      title: `Card ${n} ${words(n)}`,
      bodyHash: sha256(Buffer.from(String(n))),
      priority: n % 5,
      assignee: `person-${n % 9}@example.org`,
    }
  }
}

/** A command that sets the title of a card. */
export function edit(n: number, title: string): Command {
  return { type: 'card.update', cardId: uuid(100 + n), title }
}

/** Signs commands in order, each with the previous one as its parent. */
export function chain(device: Device, commands: Iterable<Command>, parent?: string, project?: string): SignedCommand[] {
  const signed: SignedCommand[] = []
  let last = parent
  for (const command of commands) {
    const next = device.sign(command, last === undefined ? [] : [last], project)
    signed.push(next)
    last = next.id
  }
  return signed
}

/** Six words of a small vocabulary, so that each word occurs on many cards. */
function words(n: number): string {
  return Array.from({ length: 6 }, (_, i) => `word${(n * 31 + i * 17 * (n % 13)) % 199}`).join(' ')
}
