/**
 * The next version of the program: the built one with a schema of one more step, and messages and keys of one more
 * member.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderWith } from '../../support/folder.ts'
import { program } from './rig.ts'

/** The changes, as replacements in the text of the bundle. */
const changes: readonly (readonly [what: string, before: RegExp, after: string])[] = [
  [
    'one more step of the schema',
    /(where end_ms is not null;`,oldest:1\})\]/,
    "$1,{text:`alter table svc.api_keys add column note text not null default 'next'; create table svc.next ()`,oldest:1}]",
  ],
  [
    'one more member of the body of a key',
    /(JSON\.stringify\(\{name:[\w$]+,owner:\{user:[\w$.]+,tenant:[\w$.]+\},scopes:[\w$]+,hash:[\w$]+),/,
    '$1,next:"kept",',
  ],
  ['one more column of a key', /(insert into svc\.api_keys \()(id, [^)]*\)\s*values \()/, "$1note, $2'written', "],
  [
    'one more member of a head and its record',
    /\{v:[\w$]+,id:([\w$]+),record:([\w$]+),/,
    '{v:2,next:1,id:$1,record:{...$2,next:"kept"},',
  ],
  [
    'one more member of a message of entity events',
    /(JSON\.stringify\(\[[\w$]+\.origin,[\w$]+\.n,[\w$]+\.tenant,[\w$]+\.topic,[\w$]+)\]\)/,
    '$1,2])',
  ],
]

/** Writes the next version, and returns its path. */
export function makeNextVersion(): string {
  let text = readFileSync(program, 'utf8')
  for (const [what, before, after] of changes) {
    const replaced = text.replace(before, after)
    if (replaced === text) throw new Error(`the bundle has no place for ${what}`)
    text = replaced
  }
  const file = join(folderWith(), 'svc.mjs')
  writeFileSync(file, text)
  return file
}
