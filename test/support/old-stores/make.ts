/**
 * Prints a store of a program as SQL text, for `test/e2e/sync/upgrades/`. The store has one entry of each kind that the
 * program stores.
 *
 *   node test/support/old-stores/make.ts dist/server-full/svc.mjs <commit> \
 *     > test/e2e/sync/upgrades/<newest migration>.sql
 *
 * Each new migration needs such a file, made with the program that introduces the migration.
 */
import { join } from 'node:path'
import { folderWith } from '../folder.ts'
import { dumpStore } from './dump.ts'
import { fillStore } from './fill.ts'

const [program, commit] = process.argv.slice(2)
if (program === undefined || commit === undefined) throw new TypeError('usage: make.ts <svc.mjs> <commit>')
const folder = folderWith()
const known = await fillStore(program, folder)
process.stdout.write(dumpStore(join(folder, 'state', 'sync.db'), { commit, known: JSON.stringify(known) }))
