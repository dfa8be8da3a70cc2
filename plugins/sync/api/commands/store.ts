/** `svc store`: counts, checks, backs up and restores the store, for the owner of the data directory. */
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../../core/declare/command.ts'
import { toJsonText } from '../../../../core/kernel/printable.ts'
import type {} from '../../capabilities.ts'
import { inWords } from '../../engine/store/contents.ts'
import {
  backupStore,
  checkStore,
  restoreStore,
  type StoreCheck,
  type StoreInfo,
  storeInfo,
} from '../../store-sqlite/maintenance.ts'
import { readOptions } from './arguments.ts'
import { ownStorePath } from './open-store.ts'

const HELP = `Usage: svc store info [--json]
       svc store check
       svc store backup <file>
       svc store restore <file>

The store of this node: sync.db in storage.dir (SVC_STORAGE__DIR). It has receipts, devices and projects, and what the
features of this build keep there, such as boards, peers, API keys and runs.
info counts what is in it. check compares every page and every row with its sum and runs the check of each feature: the audit
chain, and every board made again from its commands. It names what is not as it was written, and ends with 1 if there is any.
backup writes all that was committed, as of one moment, into a new file, while the service goes on. restore puts a backup in the
place of the store, with the service stopped; the store of before is kept beside it. What was written after the backup is
not in it. All four say what they cover.`

/** The command `store`. */
export const storeCommand: Command = {
  name: 'store',
  summary: 'the store of this node: info, check, backup, restore',
  help: HELP,
  async run([action, ...args], io) {
    return actionNamed(action, actions)(args, io)
  },
  gives: {
    NodeStoreInfo: (io) => () => {
      const info = infoOf(io)
      return { ...info, holds: inWords(info.counts, io.storeParts) }
    },
  },
}

const actions: Readonly<Record<string, (args: readonly string[], io: CommandIo) => number>> = {
  info(args, io) {
    const { values, positionals } = readOptions(args, { json: { type: 'boolean' } })
    if (positionals.length > 0) throw new UsageError('info takes no name')
    const { counts, ...info } = infoOf(io)
    if (values.json === true) io.out(toJsonText({ ...info, ...counts }, 2))
    else {
      io.out(`holds\t${inWords(counts, io.storeParts)}`)
      for (const [name, value] of Object.entries({ ...info, ...counts })) io.out(`${name}\t${value}`)
    }
    return 0
  },
  check(args, io) {
    if (readOptions(args, {}).positionals.length > 0) throw new UsageError('check takes no name')
    const path = ownStorePath(io)
    return report(path, checkStore(path, io.storeParts), io)
  },
  backup(args, io) {
    const file = oneFile(args)
    const path = ownStorePath(io)
    const result = backupStore(path, file, io.storeParts)
    if (result.damaged.length > 0) {
      io.err('No backup was written: the store is damaged.')
      return report(path, result, io)
    }
    io.err(`Wrote ${contentsOf(file, io)} to ${file}.`)
    return 0
  },
  restore(args, io) {
    const file = oneFile(args)
    const { keptAt } = restoreStore(ownStorePath(io), file, Date.now(), io.storeParts)
    const note = keptAt === undefined ? '' : ` The store of before is ${keptAt}.`
    io.err(`Restored ${contentsOf(file, io)} from ${file}.${note}`)
    return 0
  },
}

function infoOf(io: CommandIo): StoreInfo {
  return storeInfo(ownStorePath(io), io.storeParts)
}

function oneFile(args: readonly string[]): string {
  const { positionals } = readOptions(args, {})
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('name one file')
  return file
}

/** The contents of a store or a backup, in words. */
function contentsOf(path: string, io: CommandIo): string {
  return inWords(storeInfo(path, io.storeParts).counts, io.storeParts)
}

function report(path: string, { receipts, damaged }: StoreCheck, io: CommandIo): number {
  for (const what of damaged) io.out(what)
  // The rows of a damaged store cannot be counted.
  if (damaged.length > 0) io.err(`${receipts} receipts, ${damaged.length} damaged.`)
  else io.err(`${contentsOf(path, io)}: nothing is damaged.`)
  return damaged.length === 0 ? 0 : 1
}
