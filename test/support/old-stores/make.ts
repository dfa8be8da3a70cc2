/**
 * Writes a store of a program as SQL text, for `test/e2e/sync/upgrades/`: what that program keeps, one of each kind.
 *
 *   node test/support/old-stores/make.ts dist/server-full/svc.mjs <commit> > test/e2e/sync/upgrades/<newest migration>.sql
 *
 * A migration that is added needs such a file, made with the program that brings it.
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
